// Reads an attribute that is one word: a type, an alias, a content-type or a component, perhaps with `!` or `?`.

import { type AttributeForm, type Keys, type Part, plain, refused, type Steps } from './attribute-form.ts'
import { getLastPart, type Meanings } from './names.ts'
import { type NameContext, resolveComponent, resolveTarget } from './resolve-names.ts'

const WORD = /^(.*[^!?])([!?])$/s

/**
 * `at`: the path of the word in the attribute; `rest`: the keys beside it. Undefined for a type in its full
 * form, and for an unknown word.
 */
export function readWord(
  written: string,
  at: Steps,
  rest: Keys,
  reading: NameContext,
): AttributeForm | undefined {
  const [, word = written, mark] = WORD.exec(written) ?? []
  const required = mark === '!' ? { required: true } : {}
  const meanings = reading.names.getMeanings(word)
  const { type, alias } = meanings
  const ambiguity = getAmbiguity(word, meanings, at, reading.attribute)
  if (ambiguity !== undefined) return ambiguity
  if (type !== undefined) {
    const parts = listParts(type, rest)
    // `relation!` is incomplete, and the check names the missing keys.
    if ((mark === undefined && parts.length === 0) || needsMore.has(type)) return undefined
    return plain({ type, ...required, ...withFullKeys(type, rest) }, parts)
  }
  if (alias !== undefined) {
    const { attribute } = alias
    const keys = { ...required, ...withFullKeys(attribute.type, rest) }
    return plain({ ...structuredClone(attribute), ...keys }, listParts(attribute.type, rest))
  }
  const uid = resolveTarget(word, at, reading)
  if (typeof uid === 'string') {
    const { many, rest: keys } = takeMany(rest, false)
    const { of, ...others } = keys
    if (of !== undefined && typeof of !== 'string') return undefined
    return { kind: 'relation', target: { uid, many, from: at }, of, rest: { ...required, ...others } }
  }
  const component = uid ?? resolveComponent(word, at, reading)
  if (typeof component !== 'string') return component
  return plain({ type: 'component', component, ...required, ...rest }, [[['component'], at]])
}

export function takeMany(keys: Keys, isList: boolean): { readonly many: boolean; readonly rest: Keys } {
  const { many, ...rest } = keys
  if (typeof many !== 'boolean' || (isList && !many)) return { many: isList, rest: keys }
  return { many, rest }
}

const needsMore: ReadonlySet<string> = new Set(['relation', 'component', 'dynamiczone'])

const otherKeys: Readonly<Record<string, readonly [short: string, full: string]>> = {
  enumeration: ['values', 'enum'],
  uid: ['from', 'targetField'],
}

function buildShortKey(type: string, rest: Keys): readonly [short: string, full: string] | undefined {
  const pair = Object.hasOwn(otherKeys, type) ? otherKeys[type] : undefined
  return pair !== undefined && pair[0] in rest && !(pair[1] in rest) ? pair : undefined
}

function withFullKeys(type: string, rest: Keys): Keys {
  const pair = buildShortKey(type, rest)
  if (pair === undefined) return rest
  return Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key === pair[0] ? pair[1] : key, value]),
  )
}

function listParts(type: string, rest: Keys): readonly Part[] {
  const pair = buildShortKey(type, rest)
  return pair === undefined ? [] : [[[pair[1]], [pair[0]]]]
}

/**
 * Under `type`, the name of a type is always a type, so that authors can name it. Components do not shadow
 * Strapi's types, since they can be named with their category.
 */
function getAmbiguity(
  word: string,
  { type, alias, targets, components }: Meanings,
  at: Steps,
  attribute: string,
): AttributeForm | undefined {
  const isType = type !== undefined || alias !== undefined
  if (isType && at.length > 0) return undefined
  // The plural of `medium` is not a rival of the type `media`.
  const rivals = isType ? targets.filter((uid) => getLastPart(uid) === word) : targets
  const meanings = [
    ...(isType ? [['an attribute type', `{ type: ${word} }`]] : []),
    ...(rivals.length > 0 ? [['a content-type', `{ target: ${word} }`]] : []),
    ...(components.length > 0 && type === undefined ? [['a component', `{ component: ${word} }`]] : []),
  ]
  if (meanings.length < 2) return undefined
  const ways = meanings.map(([, way]) => `"${attribute}: ${way}"`).join(' or ')
  return refused(
    'CFG071',
    at,
    `"${word}" is ${meanings.map(([what]) => what).join(' and ')}`,
    `write ${ways}`,
  )
}
