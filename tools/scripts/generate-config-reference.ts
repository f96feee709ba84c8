// schemas/cms.schema.json -> docs/reference/configuration.md: each section, each key, what it means and what it may be.

import { describeTypes, getFlow } from '../../src/config/describe-value.ts'

export interface Schema {
  readonly $ref?: string
  readonly description?: string
  readonly markdownDescription?: string
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly patternProperties?: Readonly<Record<string, boolean | Schema>>
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly names?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly required?: readonly string[]
  readonly patternErrorMessage?: string
  readonly errorMessage?: string
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly not?: Schema
  readonly const?: unknown
  readonly else?: Schema
  readonly definitions?: Readonly<Record<string, Schema>>
}

/** Sections in the order of the schema, then the attribute types. */
export function configReference(root: Schema): string {
  const sections = Object.entries(root.properties ?? {}).filter(([name]) => name !== '$schema')
  const page = [
    '<!-- Generated from schemas/cms.schema.json by `npm run generate`; do not edit. -->',
    '# cms.yaml',
    root.markdownDescription ?? '',
    'Editors complete and check the file with this first line:',
    '```yaml\n# yaml-language-server: $schema=./schemas/cms.schema.json\n```',
    'A complete file:',
    '```yaml\ncontentTypes: { article: { attributes: { title: string } } }\n```',
    ...sections.map(([name, schema], index) => sectionOf(name, schema, root, sections.slice(0, index))),
    '## Attribute types',
    'An attribute is the name of its type (`title: string`), or a map with `type` and these keys.',
    ...attributeChapters(root),
  ].join('\n\n')
  return `${sayFormsOnce(page, root)}\n`
}

/** The form of a value stands where it is needed first. */
function sayFormsOnce(page: string, root: Schema): string {
  const forms = new Set<string>()
  JSON.stringify(root, (key, value: unknown) => {
    if (key === 'patternErrorMessage') forms.add(` (${cell(String(value))})`)
    return value
  })
  return [...forms].reduce((text, form) => {
    const [before = '', ...others] = text.split(form)
    return others.length === 0 ? text : `${before}${form}${others.join('')}`
  }, page)
}

/** `before`: the sections before it. One with the same keys says so. */
function sectionOf(
  name: string,
  schema: Schema,
  root: Schema,
  before: readonly (readonly [string, Schema])[],
): string {
  const section = resolved(schema, root)
  const own = table(section, root)
  const [same] = before.find(([, other]) => own !== '' && table(resolved(other, root), root) === own) ?? []
  const rows = same === undefined ? own : `Its keys are those of [${same}](#${same.toLowerCase()}).`
  return [`## ${name}`, section.description ?? '', ...(rows === '' ? examplesOf(section) : [rows])].join(
    '\n\n',
  )
}

function examplesOf({ examples = [] }: Schema): string[] {
  return examples.map((example) => `For example \`${getFlow(example)}\`.`)
}

/** What all types have in common stands before them, once. */
function attributeChapters(root: Schema): readonly string[] {
  const types = attributeTypes(root).map(([title, schema]) => ({
    title,
    description: schema.description,
    rows: rowsOf(schema, '', root),
  }))
  // Rows of nearly all types, by the types that lack them.
  const common = new Map<string, string[]>()
  for (const row of new Set(types.flatMap(({ rows }) => rows))) {
    const lacking = types.filter(({ rows }) => !rows.includes(row)).map(({ title }) => `\`${title}\``)
    if (lacking.length > MOST_LACKING) continue
    const title = ['Every type', ...(lacking.length === 0 ? [] : ['but', lacking.join(' and ')])].join(' ')
    common.set(title, [...(common.get(title) ?? []), row])
  }
  const said = new Set([...common.values()].flat())
  return [
    ...[...common]
      .sort(([a], [b]) => a.length - b.length)
      .map(([title, rows]) => `### ${title}\n\n${tableOf(rows)}`),
    ...types.map(({ title, description, rows }) =>
      [`### ${title}`, description, tableOf(rows.filter((row) => !said.has(row)))].join('\n\n').trim(),
    ),
  ]
}

/** A key that more types than these lack is said where it may be. */
const MOST_LACKING = 2

function attributeTypes(root: Schema): [string, Schema][] {
  const branches = root.definitions?.['attribute']?.else?.oneOf ?? []
  return branches.map((branch) => {
    const schema = resolved(branch, root)
    const types = resolved(schema.properties?.['type'] ?? {}, root).enum ?? []
    return [types.join(', '), schema]
  })
}

function table(schema: Schema, root: Schema): string {
  return tableOf(rowsOf(schema, '', root))
}

function tableOf(rows: readonly string[]): string {
  if (rows.length === 0) return ''
  return ['| key | value | default | |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

/** A row for each key, nested maps flattened; attributes have a chapter of their own. */
function rowsOf(schema: Schema, prefix: string, root: Schema): string[] {
  const required = new Set(schema.required ?? [])
  const properties = Object.entries(schema.properties ?? {})
  const rows = properties.flatMap(([name, value]) => {
    const child = resolved(value, root)
    const alike = alikeOf(value, properties)
    if (alike[0] !== name) return []
    const keys = alike.map((other) => `\`${prefix}${other}\``).join('<br>')
    const cells = [keys, typeOf(child), defaultOf(child, required.has(name)), textOf(child)]
    const below = alike.length === 1 ? name : '<each>'
    return [
      `| ${cells.map(cell).join(' | ')} |`.replaceAll('|  |', '| |'),
      ...rowsBelow(child, `${prefix}${below}`, root),
    ]
  })
  return [...rows, ...namedRows(schema, prefix, root)]
}

/** The names of the properties that are maps of the same definition, as the actions of a router are. */
function alikeOf(value: Schema, properties: readonly (readonly [string, Schema])[]): readonly string[] {
  const same = ([, other]: readonly [string, Schema]): boolean =>
    other === value ||
    (value.$ref !== undefined && other.$ref === value.$ref && other.description === value.description)
  return properties.filter(same).map(([name]) => name)
}

function rowsBelow(schema: Schema, key: string, root: Schema): string[] {
  if (schema === root.definitions?.['attributes']) return []
  const items = schema.items === undefined ? undefined : resolved(schema.items, root)
  return [
    ...rowsOf(schema, `${key}.`, root),
    ...(items?.properties === undefined ? [] : rowsOf(items, `${key}[].`, root)),
  ]
}

/** Maps whose keys are names: `roles.<name>.permissions`. */
function namedRows({ additionalProperties }: Schema, prefix: string, root: Schema): string[] {
  if (typeof additionalProperties !== 'object') return []
  const child = resolved(additionalProperties, root)
  const key = `${prefix}<name>`
  const cells = [`\`${key}\``, typeOf(child), defaultOf(child, false), textOf(child)]
  return [`| ${cells.map(cell).join(' | ')} |`.replaceAll('|  |', '| |'), ...rowsBelow(child, key, root)]
}

function typeOf(schema: Schema): string {
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${value}\``).join(', ')
  return schema.type === undefined ? 'any value' : describeTypes(schema.type)
}

function defaultOf(schema: Schema, required: boolean): string {
  if (required) return 'required'
  return schema.default === undefined ? '' : `\`${getFlow(schema.default)}\``
}

function textOf({ description = '', patternErrorMessage, examples = [] }: Schema): string {
  const form = patternErrorMessage === undefined ? '' : ` (${patternErrorMessage})`
  const example =
    examples.length === 0
      ? ''
      : ` For example ${examples.map((value) => `\`${getFlow(value)}\``).join(', ')}.`
  return `${description}${form === '' ? '' : form}${example}`
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}

function resolved(schema: Schema, root: Schema): Schema {
  const name = schema.$ref?.replace('#/definitions/', '')
  return name === undefined ? schema : (root.definitions?.[name] ?? schema)
}
