// Completes keys and words of the file from its JSON Schema by indentation, since a file being edited is
// seldom valid.

import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete'

interface JsonSchema {
  readonly $ref?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: boolean | JsonSchema
  readonly items?: JsonSchema
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly type?: string | readonly string[]
  readonly oneOf?: readonly JsonSchema[]
  readonly anyOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly if?: JsonSchema
  readonly then?: JsonSchema
  readonly else?: JsonSchema
  readonly definitions?: Readonly<Record<string, JsonSchema>>
}

const MAX_DEPTH = 12

export function completeFrom(given: object) {
  const root = given as JsonSchema

  function open(schema: JsonSchema, depth = 0): readonly JsonSchema[] {
    if (depth > MAX_DEPTH) return []
    const referred = schema.$ref && root.definitions?.[schema.$ref.replace('#/definitions/', '')]
    const others = [...(schema.oneOf ?? []), ...(schema.anyOf ?? []), ...(schema.allOf ?? [])]
    const branches = [schema.then, schema.else].filter((one) => one !== undefined)
    return [
      schema,
      ...(referred ? open(referred, depth + 1) : []),
      ...[...others, ...branches].flatMap((one) => open(one, depth + 1)),
    ]
  }

  function below(schemas: readonly JsonSchema[], key: string): readonly JsonSchema[] {
    return schemas.flatMap((schema) => {
      const own = schema.properties?.[key]
      const patterned = Object.entries(schema.patternProperties ?? {}).find(([pattern]) =>
        new RegExp(pattern).test(key),
      )
      const { additionalProperties: rest } = schema
      const next =
        key === '-' ? schema.items : (own ?? patterned?.[1] ?? (typeof rest === 'object' ? rest : undefined))
      return next === undefined ? [] : open(next)
    })
  }

  return (context: CompletionContext): CompletionResult | null => {
    const { doc } = context.state
    const line = doc.lineAt(context.pos)
    const before = line.text.slice(0, context.pos - line.from)
    const value = /^\s*(?:- )?([\w$.:-]+):\s+(\w*)$/.exec(before)
    const key = /^\s*(?:- )?([\w$]*)$/.exec(before)
    if (value === null && key === null) return null
    if (!context.explicit && (value?.[2] ?? key?.[1]) === '') return null
    const path = findPath(doc.toString().slice(0, line.from).split('\n'), before)
    let schemas = open(root)
    for (const part of value === null ? path : [...path, value[1] ?? '']) schemas = below(schemas, part)
    const options = value === null ? listKeys(schemas) : getWords(schemas)
    const typed = (value?.[2] ?? key?.[1] ?? '').length
    return options.length === 0 ? null : { from: context.pos - typed, options, validFor: /^\w*$/ }
  }
}

export function findPath(lines: readonly string[], current: string): readonly string[] {
  const path: string[] = []
  let indent = /^\s*/.exec(current)?.[0].length ?? 0
  if (/^\s*- /.test(current)) {
    path.unshift('-')
    indent += 1
  }
  for (const line of lines.toReversed()) {
    const [, space = '', item, key] =
      /^(\s*)(- )?(?:([^\s#'"][^:#]*|'[^']*'|"[^"]*"):(?:\s|$))?/.exec(line) ?? []
    if (line.trim() === '' || line.trim().startsWith('#')) continue
    const keyIndent = space.length + (item?.length ?? 0)
    if (key !== undefined && keyIndent < indent) {
      path.unshift(key.replaceAll(/^['"]|['"]$/g, ''))
      indent = keyIndent
    }
    if (item !== undefined && space.length < indent) {
      path.unshift('-')
      indent = space.length + 1
    }
  }
  return path
}

function listKeys(schemas: readonly JsonSchema[]) {
  const found = new Map<string, string | undefined>()
  for (const { properties = {} } of schemas)
    for (const [name, { description }] of Object.entries(properties))
      found.set(name, found.get(name) ?? description)
  return [...found].map(([label, info]) => ({
    label,
    apply: `${label}: `,
    type: 'property',
    ...(info === undefined ? {} : { info }),
  }))
}

function getWords(schemas: readonly JsonSchema[]) {
  const words = schemas.flatMap((schema) => [
    ...(schema.enum ?? []),
    ...(schema.const === undefined ? [] : [schema.const]),
    ...([schema.type].flat().includes('boolean') ? [true, false] : []),
  ])
  return [...new Set(words.map(String))].map((label) => ({ label, type: 'constant' }))
}
