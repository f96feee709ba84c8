// Lists attribute types, and their names in other systems.

import { attributeTypes as types } from '../attribute-types/attribute-types.ts'
import { didYouMean } from '../lib/did-you-mean.ts'

const scalars = Object.entries(types)

const examples: ReadonlyMap<string, string> = new Map([
  ...scalars.flatMap(([name, { example }]): [string, string][] =>
    example === undefined ? [] : [[name, example]],
  ),
  ['computed', `{ computed: 'first + " " + last' }`],
  ['component', '{ type: component, component: shared.seo }'],
  ['dynamiczone', '{ type: dynamiczone, components: [page.quote] }'],
  ['relation', '{ type: relation, relation: manyToOne, target: api::author.author }'],
])

export const attributeTypes: readonly string[] = [
  ...scalars.filter(([, { example }]) => example === undefined).map(([name]) => name),
  'media',
  ...examples.keys(),
]

const TEXTS = 'write "[{ value: string }]" for a list of components, "[tag]" for entries, or "json"'
const PLACE = 'write its parts: "{ lat: number, lng: number }"'
const RELATION = 'write the name of the content-type: "author", or "[author]" for several'

const synonyms: ReadonlyMap<string, string> = new Map([
  ['bigint', 'did you mean "biginteger"?'],
  ['double', 'did you mean "float"?'],
  ['html', 'did you mean "richtext"?'],
  ['varchar', 'did you mean "string"?'],
  ['object', 'did you mean "json" or "component"?'],
  ['array', TEXTS],
  ['list', TEXTS],
  ['strings', TEXTS],
  ['select', 'did you mean "enumeration"?'],
  [
    'uuid',
    'write "{ type: string, unique: true }"; each entry has an id anyhow, and with "dialect: strapi-5" a documentId',
  ],
  ['geo', PLACE],
  ['geopoint', PLACE],
  ['point', PLACE],
  ['location', PLACE],
  ['coordinates', PLACE],
  ['latlng', PLACE],
  ['reference', RELATION],
  ['ref', RELATION],
  ['link', RELATION],
  ['date-time', 'did you mean "datetime"?'],
])

/** Lists as other languages write them: `[tag!]!`, `tag[]`. */
const LIST = /^(?:\[\s*([\w.:-]+)!?\s*\]|([\w.:-]+)\[\])[!?]?$/

/** Returns `did you mean …?`, or the whole list. `names`: other valid names. */
export function suggestAttributeType(written: string, names: readonly string[]): string {
  const [, listed, after] = LIST.exec(written) ?? []
  const item = listed ?? after
  const listItem = item === undefined || names.includes(item) ? item : didYouMean(item, names)
  if (listItem !== undefined) {
    if (written.endsWith('!')) return `write { type: [${listItem}], required: true }`
    return `write [${listItem}]${listed === undefined ? '' : ', without quotes'}`
  }
  const [, word = written, mark = ''] = /^(.*?)([!?])$/s.exec(written) ?? []
  const synonym = synonyms.get(word.toLowerCase())
  if (synonym !== undefined) return synonym
  const near = didYouMean(word, [...attributeTypes, ...names])
  if (near !== undefined) return `did you mean "${near}${mark}"?`
  return `one of ${attributeTypes.map((type) => `"${type}"`).join(', ')}`
}

export function explainIncompleteShorthand(written: string): string | undefined {
  const example = examples.get(written)
  return example === undefined ? undefined : `write it out: ${example}`
}
