// Rewrites the attributes of content-types and components into their full form.

import { attributeTypes, isScalarType } from '../../attribute-types/attribute-types.ts'
import type { DiagnosticPath } from '../../lib/errors/diagnostic.ts'
import { isRecord } from '../../lib/is-record.ts'
import { getUid } from '../normalize-content-type.ts'
import type { AttributeForm, Keys, PlainForm } from './attribute-form.ts'
import { expandBare } from './bare-attributes.ts'
import type { Expansion } from './expansion.ts'
import { extractComponent } from './inline-components.ts'
import { getLastPart, Names } from './names.ts'
import { type PendingRelation, pairRelations } from './pair-relations.ts'
import { readAttribute } from './read-attribute.ts'
import type { Words } from './shorthand.ts'

interface SchemaKeys {
  readonly path: DiagnosticPath
  readonly uid: string | undefined
  /** The prefix for the names of inline components. */
  readonly category: string
  readonly prefix: string
}

/** Returns the names of the file, for suggestions. */
export function expandAttributes(expansion: Expansion, words: Words): readonly string[] {
  const names = new Names(expansion, words)
  const relations: PendingRelation[] = []
  const schemas: SchemaKeys[] = [
    ...expansion.entries(['contentTypes']).map(([key]) => createTypeSchema(key)),
    ...expansion.entries(['components']).map(([key]) => createComponentSchema(key)),
  ]
  // Grows in the loop, since components inside others are read as well.
  for (const schema of schemas) {
    for (const [name, value] of expansion.entries([...schema.path, 'attributes'])) {
      const path = [...schema.path, 'attributes', name]
      const form = readAttribute(value, { names, attribute: name })
      if (form?.kind === 'inline') {
        const uid = extractComponent(expansion, path, form, schema)
        if (uid === undefined) continue
        expandBare(expansion, ['components', uid], words)
        schemas.push(createComponentSchema(uid))
      } else if (form?.kind === 'relation') relations.push({ ...form, path, schema: schema.uid, name })
      else if (form !== undefined) applyForm(expansion, path, form, value)
    }
  }
  pairRelations(expansion, relations, names)
  return names.known
}

function applyForm(
  expansion: Expansion,
  path: DiagnosticPath,
  form: Exclude<AttributeForm, { kind: 'inline' | 'relation' }>,
  value: unknown,
): void {
  if (form.kind === 'refused') {
    expansion.refuse(path, form.code, form.at, form.message, form.help)
    return
  }
  const { attribute, parts }: PlainForm = nameSource(form, value, expansion.entries(path.slice(0, -1)))
  if (!isRecord(value) || !isSame(attribute, value)) expansion.replace(path, attribute, parts)
}

function isSame(attribute: Keys, value: Keys): boolean {
  const keys = Object.keys(attribute)
  return keys.length === Object.keys(value).length && keys.every((key) => attribute[key] === value[key])
}

function createTypeSchema(key: string): SchemaKeys {
  return { path: ['contentTypes', key], uid: getUid(key), category: getLastPart(key), prefix: '' }
}

function createComponentSchema(key: string): SchemaKeys {
  const [category = '', name = ''] = key.split('.')
  return { path: ['components', key], uid: undefined, category, prefix: `${name}-` }
}

type Entries = readonly (readonly [key: string, value: unknown])[]

/** Completes `form`, if it was written as `slug`; `attributes` are all of the type, read or not. */
function nameSource(form: PlainForm, written: unknown, attributes: Entries): PlainForm {
  const { attribute, parts } = form
  const word = isRecord(written) ? written['type'] : written
  if (!/^slug[!?]?$/.test(String(word)) || attribute['targetField'] !== undefined) return form
  const found = ['title', 'name'].find((name) => {
    const [, value] = attributes.find(([key]) => key === name) ?? []
    return isText(isRecord(value) ? value['type'] : value)
  })
  return found === undefined ? form : { ...form, attribute: { ...attribute, targetField: found }, parts }
}

function isText(type: unknown): boolean {
  if (typeof type !== 'string') return false
  const name = type.replace(/[!?]$/, '')
  return isScalarType(name) && attributeTypes[name].sluggable
}
