// Reads an OpenAPI 3.1 document: its operations, and schemas as short text.

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly additionalProperties?: boolean | Schema
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly description?: string
  readonly required?: boolean
  readonly schema?: Schema
  readonly example?: unknown
}

interface Media {
  readonly schema?: Schema
  readonly example?: unknown
}

type Content = Readonly<Record<string, Media>>

interface RawOperation {
  readonly summary?: string
  readonly tags?: readonly string[]
  readonly security?: readonly unknown[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content?: Content }
  readonly responses?: Readonly<Record<string, { readonly content?: Content }>>
}

export interface Document {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters?: Readonly<Record<string, Parameter>>
  }
}

export interface Operation {
  readonly method: string
  readonly path: string
  readonly tag: string
  readonly summary: string
  /** Whether it needs no token. */
  readonly open: boolean
  readonly parameters: readonly Parameter[]
  readonly body: Media | undefined
  readonly answer: Media | undefined
}

export function listOperations({ paths, components }: Document): readonly Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]): Operation => {
      const { summary = '', tags = [], security, parameters = [], requestBody, responses = {} } = raw
      return {
        method: method.toUpperCase(),
        path,
        tag: tags[0] ?? 'others',
        summary,
        open:
          security !== undefined &&
          (security.length === 0 || security.some((one) => Object.keys(one as object).length === 0)),
        parameters: parameters.flatMap((one) => {
          const { $ref } = one as { $ref?: string }
          return $ref === undefined ? one : (components.parameters?.[$ref.split('/').at(-1) ?? ''] ?? [])
        }),
        body: getJson(requestBody?.content),
        answer: getJson((responses['200'] ?? responses['201'])?.content),
      }
    }),
  )
}

function getJson(content: Content | undefined): Media | undefined {
  return content?.['application/json']
}

/** Writes a schema like a TypeScript type; only names below `depth` levels. */
export function formatSchema(schema: Schema, document: Document, depth: number, indent = ''): string {
  const { $ref, type, enum: values, properties, items, format } = schema
  const inner = (one: Schema): string => formatSchema(one, document, depth - 1, indent)
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1) ?? ''
    const found = document.components.schemas[name]
    return found === undefined || depth <= 1 ? name : formatSchema(found, document, depth - 1, indent)
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ')
  const alternatives = schema.oneOf ?? schema.anyOf
  if (alternatives !== undefined) return [...new Set(alternatives.map(inner))].join(' | ')
  if (schema.allOf !== undefined) return schema.allOf.map(inner).join(' & ')
  if (properties !== undefined) {
    if (depth <= 0) return '{ … }'
    const next = `${indent}  `
    const lines = Object.entries(properties).map(
      ([name, one]) =>
        `${next}${name}${schema.required?.includes(name) === true ? '' : '?'}: ${formatSchema(one, document, depth - 1, next)}\n`,
    )
    return `{\n${lines.join('')}${indent}}`
  }
  if (items !== undefined) return `${inner(items)}[]`
  const names = (typeof type === 'string' ? [type] : (type ?? ['any'])).join(' | ')
  return format === undefined ? names : `${names} (${format})`
}
