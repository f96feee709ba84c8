// The names of attribute types, and common other names for them.

import { attributeTypes as types } from '../attribute-types/attribute-types.ts'
import { didYouMean } from '../util/did-you-mean.ts'

const scalars = Object.entries(types)

/** Complete examples of types that need more keys than `type`. */
const examples: ReadonlyMap<string, string> = new Map([
  ...scalars.flatMap(([name, { example }]): [string, string][] =>
    example === undefined ? [] : [[name, example]],
  ),
  ['component', '{ type: component, component: shared.seo }'],
  ['dynamiczone', '{ type: dynamiczone, components: [page.quote] }'],
  ['relation', '{ type: relation, relation: manyToOne, target: api::author.author }'],
])

/** Every type. */
export const attributeTypes: readonly string[] = [
  ...scalars.filter(([, { example }]) => example === undefined).map(([name]) => name),
  'media',
  ...examples.keys(),
]

const synonyms: ReadonlyMap<string, string> = new Map([
  ['number', '"integer", "float" or "decimal"'],
  ['int', '"integer"'],
  ['bigint', '"biginteger"'],
  ['double', '"float"'],
  ['bool', '"boolean"'],
  ['markdown', '"richtext"'],
  ['html', '"richtext"'],
  ['varchar', '"string"'],
  ['image', '"media"'],
  ['file', '"media"'],
  ['object', '"json" or "component"'],
  ['array', '"json", or a "component" with "repeatable: true"'],
  ['list', '"json", or a "component" with "repeatable: true"'],
  ['select', '"enumeration"'],
  ['enum', '"enumeration"'],
  ['slug', '"uid"'],
  ['uuid', '"string"'],
  ['reference', '"relation"'],
  ['ref', '"relation"'],
  ['link', '"relation"'],
  ['date-time', '"datetime"'],
])

/** `did you mean …?`, or the whole list. */
export function attributeTypeHelp(written: string): string {
  const synonym = synonyms.get(written.toLowerCase())
  if (synonym !== undefined) return `did you mean ${synonym}?`
  const near = didYouMean(written, attributeTypes)
  if (near !== undefined) return `did you mean "${near}"?`
  return `one of ${attributeTypes.map((type) => `"${type}"`).join(', ')}`
}

/** For a known type that needs more keys: an example of how to write it. */
export function incompleteShorthand(written: string): string | undefined {
  const example = examples.get(written)
  return example === undefined ? undefined : `write it out: ${example}`
}
