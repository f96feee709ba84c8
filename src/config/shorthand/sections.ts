// Expands sections and names of the file: `singleTypes`, `kind: single`, components without a category,
// `drafts`.

import { isRecord } from '../../lib/is-record.ts'
import { expandBare } from './bare-attributes.ts'
import type { Expansion } from './expansion.ts'
import type { Words } from './shorthand.ts'

const CATEGORY = 'shared'

export function expandSingleTypes(expansion: Expansion, words: Words): void {
  for (const [name] of expansion.entries(['singleTypes'])) {
    const from = ['singleTypes', name]
    const to = ['contentTypes', name]
    if (expansion.at(to) !== undefined) {
      const help = 'give one of them another name'
      expansion.refuse(from, 'CFG050', [], `"${name}" stands under contentTypes, too`, help)
      continue
    }
    expandBare(expansion, from, words)
    const whole = expansion.at(from)
    if (!isRecord(whole)) continue
    const { kind = 'singleType' } = whole
    if (kind === 'collectionType' || kind === 'collection') {
      expansion.refuse(
        from,
        'CFG054',
        ['kind'],
        `"${name}" stands under singleTypes`,
        'move it to contentTypes',
      )
      continue
    }
    expansion.replace(from, { ...whole, kind })
    expansion.move(from, to)
  }
  const left = expansion.at(['singleTypes'])
  if (isRecord(left) && Object.keys(left).length === 0) expansion.drop(['singleTypes'])
}

const kinds: Readonly<Record<string, string>> = { single: 'singleType', collection: 'collectionType' }

/** `drafts: true` and `draftAndPublish: true` become `options: { draftAndPublish: true }`. */
export function expandTypeOptions(expansion: Expansion): void {
  for (const [name] of expansion.entries(['contentTypes'])) {
    const path = ['contentTypes', name]
    const kind = expansion.at([...path, 'kind'])
    if (typeof kind === 'string' && Object.hasOwn(kinds, kind))
      expansion.replace([...path, 'kind'], kinds[kind])
    expandDrafts(expansion, path)
  }
}

const FATES: ReadonlySet<unknown> = new Set(['delete', 'publish'])

function expandDrafts(expansion: Expansion, path: readonly string[]): void {
  const declared = expansion.at(path)
  if (!isRecord(declared)) return
  const key = declared['drafts'] === undefined ? 'draftAndPublish' : 'drafts'
  const { [key]: written, options = {}, ...rest } = declared
  // Other words are left in place, where the check reports them.
  const off = isRecord(written) && FATES.has(written['off']) ? written['off'] : undefined
  const drafts = off === undefined ? written : false
  if (typeof drafts !== 'boolean' || !isRecord(options)) return
  const { draftAndPublish = drafts } = options
  if (draftAndPublish !== drafts) {
    const message = `"${key}" and "options.draftAndPublish" contradict each other`
    expansion.refuse([...path, key], 'CFG054', [], message, 'keep one of them')
    return
  }
  const draftsOff = off === undefined ? {} : { draftsOff: off }
  const value = { ...rest, options: { ...options, ...draftsOff, draftAndPublish } }
  expansion.replace(path, value, [
    [['options'], ['options']],
    ...(off === undefined
      ? []
      : [
          [
            ['options', 'draftsOff'],
            ['drafts', 'off'],
          ] as const,
        ]),
    [
      ['options', 'draftAndPublish'],
      options['draftAndPublish'] === undefined ? [key] : ['options', 'draftAndPublish'],
    ],
  ])
}

/** `seo` is short for `shared.seo`. */
export function expandComponentNames(expansion: Expansion): void {
  for (const [name] of expansion.entries(['components'])) {
    if (name.includes('.')) continue
    const uid = `${CATEGORY}.${name}`
    if (expansion.at(['components', uid]) === undefined) expansion.rename(['components', name], uid)
    else
      expansion.refuse(
        ['components', name],
        'CFG050',
        [],
        `"${name}" is the same component as "${uid}"`,
        'join the two',
      )
  }
}
