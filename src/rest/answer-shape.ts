// The outer form of answers as a record of functions: what surrounds an entry's attributes, a relation's entries, and
// the whole answer. Another dialect is another record.

import type { EntryRole } from '../content/fold-member.ts'

export interface AnswerShape {
  /** The entry that the answer is about. `attributes`: members of a JSON object; `locales`: of a JSON array. */
  subject(id: number, attributes: string, locales: string): string
  /** An entry within another one; called once per plan. */
  entry(role: EntryRole): (id: number, attributes: string) => string
  /** The value of a relation or media attribute: an entry, a list or null. */
  relation(data: string): string
  /** The value of a relation when only the number of entries was requested. */
  count(entries: number): string
  one(entry: string): string
  /** `pagination`: a JSON object; undefined: the list has no pages. */
  list(entries: string, pagination: string | undefined): string
}

/** `{"data":{"id":1,"attributes":{…}},"meta":{}}`; components and polymorphic targets are flat. */
export const strapi4Shape: AnswerShape = {
  subject: (id, attributes, locales) =>
    `{"id":${id},"attributes":{${attributes}},"meta":{"availableLocales":[${locales}]}}`,
  entry(role) {
    if (role.kind === 'related') return (id, attributes) => `{"id":${id},"attributes":{${attributes}}}`
    if (role.kind === 'morph') {
      const start = `{"__type":${JSON.stringify(role.uid)},"id":`
      return (id, attributes) => `${start}${id}${behind(attributes)}}`
    }
    const name = role.uid === undefined ? '' : `,"__component":${JSON.stringify(role.uid)}`
    return (id, attributes) => `{"id":${id}${name}${behind(attributes)}}`
  },
  relation: (data) => `{"data":${data}}`,
  count: (entries) => `{"data":{"attributes":{"count":${entries}}}}`,
  one: (entry) => `{"data":${entry},"meta":{}}`,
  list: (entries, pagination) =>
    `{"data":[${entries}],"meta":{${pagination === undefined ? '' : `"pagination":${pagination}`}}}`,
}

/** Members of an object that follow others. */
function behind(attributes: string): string {
  return attributes === '' ? '' : `,${attributes}`
}
