// Adds examples to the OpenAPI document: entries as the API returns them to the caller.

import { isRecord } from '../lib/is-record.ts'
import { ownTypes } from '../model/actions.ts'
import type { ContentType } from '../model/content-type.ts'
import { listPath } from '../rest/rest-paths.ts'
import type { ConsoleContext } from './console-context.ts'

type Json = Readonly<Record<string, unknown>>

const MAX_TEXT_LENGTH = 200
const MAX_ENTRY_LENGTH = 20_000

export async function withExamples(
  document: Json,
  { place, ask }: ConsoleContext,
  authorization: string | undefined,
): Promise<Json> {
  const { config, model } = place()
  const headers = authorization === undefined ? {} : { authorization }
  const paths: Record<string, unknown> = { ...(document['paths'] as Json) }
  // Sequential, so that a document causes no more load than one client.
  for (const type of ownTypes(model)) {
    const path = listPath(type, config.rest.prefix)
    const single = type.kind === 'singleType'
    const response = await ask(single ? path : `${path}?pagination[pageSize]=1`, { headers })
    if (response.status !== 200) continue
    const sample = shortened(JSON.parse(await response.text())) as Json
    const entry = single ? sample['data'] : (sample['data'] as readonly unknown[])[0]
    if (!isRecord(entry) || JSON.stringify(entry).length > MAX_ENTRY_LENGTH) continue
    const one = single ? sample : { data: entry, meta: {} }
    const id = entry['documentId'] ?? entry['id']
    const body = { data: writable(type, (entry['attributes'] ?? entry) as Json) }
    const add = (template: string, toExpected: (method: string) => unknown): void => {
      const operations = paths[template]
      if (!isRecord(operations)) return
      paths[template] = Object.fromEntries(
        Object.entries(operations).map(([method, operation]) => [
          method,
          exampled(operation as Json, { response: toExpected(method), body, id }),
        ]),
      )
    }
    add(path, (method) => (single || method !== 'get' ? one : sample))
    add(`${path}/{id}`, () => one)
  }
  return { ...document, paths }
}

interface Examples {
  readonly response: unknown
  readonly body: unknown
  readonly id: unknown
}

function exampled(operation: Json, { response: example, body, id }: Examples): Json {
  const { responses, requestBody, parameters } = operation as {
    readonly responses: Json
    readonly requestBody?: Json
    readonly parameters: readonly Json[]
  }
  return {
    ...operation,
    parameters: parameters.map((one) => (one['in'] === 'path' ? { ...one, example: id } : one)),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [
        status,
        /^20[01]$/.test(status) ? withExample(response as Json, example) : response,
      ]),
    ),
    ...(requestBody === undefined ? {} : { requestBody: withExample(requestBody, body) }),
  }
}

function withExample(schema: Json, example: unknown): Json {
  const { content } = schema as { readonly content?: Json }
  const json = content?.['application/json']
  if (!isRecord(json)) return schema
  return { ...schema, content: { ...content, 'application/json': { ...json, example } } }
}

/** Excludes values that must differ from this entry's. */
function writable(type: ContentType, answered: Json): Json {
  const names = [...type.attributes.values()].filter(
    (attribute) =>
      attribute.kind === 'scalar' &&
      attribute.writable &&
      attribute.type !== 'uid' &&
      (!attribute.unique || attribute.required),
  )
  return Object.fromEntries(
    names.flatMap(({ name }) => {
      const value = answered[name]
      return value === undefined || value === null ? [] : [[name, value]]
    }),
  )
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > MAX_TEXT_LENGTH ? `${value.slice(0, MAX_TEXT_LENGTH)}…` : value
  if (Array.isArray(value)) return value.map(shortened)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shortened(item)]))
}
