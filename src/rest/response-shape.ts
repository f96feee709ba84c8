// Defines the outer form of responses as a record of functions; each API version is a record.

import type { PopulatePlan } from '../plan/read-plan.ts'
import type { EntryRole } from '../query/rows/fold-populated.ts'

export interface ResponseShape {
  /** `ids` (`"id":1`) and `attributes` are the inside of a JSON object, `locales` that of a JSON array. */
  subject(ids: string, attributes: string, locales: string): string
  /** Called once per plan. */
  entry(role: EntryRole): (ids: string, attributes: string) => string
  relation(data: string): string
  /** Called when the request selects only the number of entries. */
  count(entries: number): string
  /** The value of an empty populated field; undefined: its key is left out. */
  none(populate: PopulatePlan): string | undefined
  one(entry: string): string
  /** Undefined `pagination`: the list has no pages. */
  list(entries: string, pagination: string | undefined): string
}

/** `{"data":{"id":1,"attributes":{…}},"meta":{}}`; components and polymorphic targets are flat. */
export const strapi4Shape: ResponseShape = {
  subject: (ids, attributes, locales) =>
    `{${ids},"attributes":{${attributes}},"meta":{"availableLocales":[${locales}]}}`,
  entry: (role) => (role.kind === 'related' ? wrapped : flat(role)),
  relation: (data) => `{"data":${data}}`,
  count: (entries) => `{"data":{"attributes":{"count":${entries}}}}`,
  none(populate) {
    const { kind, attribute } = populate
    if (kind === 'zone') return '[]'
    if (kind === 'morph') return populate.many ? undefined : 'null'
    const isMorph = attribute.kind === 'relation' && attribute.relation === 'morphMany'
    return attribute.kind === 'media' || isMorph || !populate.many ? 'null' : '[]'
  },
  one,
  list,
}

export const strapi5Shape: ResponseShape = {
  subject: (ids, attributes) => `{${ids}${behind(attributes)}}`,
  entry: flat,
  relation: (data) => data,
  count: (entries) => `{"count":${entries}}`,
  none: (populate) => (populate.kind === 'zone' || populate.many ? '[]' : 'null'),
  one,
  list,
}

/** For `Strapi-Response-Format: v4`: `{"id":1,"documentId":"…","attributes":{…}}`. */
export const strapi5AsStrapi4: ResponseShape = {
  ...strapi5Shape,
  subject: wrapped,
  entry: strapi4Shape.entry,
  relation: strapi4Shape.relation,
  count: strapi4Shape.count,
}

function wrapped(ids: string, attributes: string): string {
  return `{${ids},"attributes":{${attributes}}}`
}

function flat(role: EntryRole): (ids: string, attributes: string) => string {
  if (role.kind === 'morph') {
    const start = `{"__type":${JSON.stringify(role.uid)},`
    return (ids, attributes) => `${start}${ids}${behind(attributes)}}`
  }
  const uid = role.kind === 'component' ? role.uid : undefined
  const name = uid === undefined ? '' : `,"__component":${JSON.stringify(uid)}`
  return (ids, attributes) => `{${ids}${name}${behind(attributes)}}`
}

function one(entry: string): string {
  return `{"data":${entry},"meta":{}}`
}

function list(entries: string, pagination: string | undefined): string {
  return `{"data":[${entries}],"meta":{${pagination === undefined ? '' : `"pagination":${pagination}`}}}`
}

function behind(attributes: string): string {
  return attributes === '' ? '' : `,${attributes}`
}
