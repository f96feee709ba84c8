// Sends the GET requests of a configuration's OpenAPI document to a deployment, and reports where responses
// differ from it.

import { buildFault, type Source } from '../../http/source.ts'
import { buildRecord, isRecord } from '../../lib/is-record.ts'
import { type Fault, findFaults, type JsonSchema } from './find-faults.ts'

export interface ContractDifference {
  /** `GET /api/articles`. */
  readonly operation: string
  readonly message: string
}

interface CheckedDeployment {
  readonly asked: number
  readonly drift: readonly ContractDifference[]
  /** Operations that this caller may not read, and responses that could not be compared. */
  readonly unread: readonly ContractDifference[]
}

/** Differences reported per response; entries of a list mostly differ alike. */
const MAX_DIFFERENCES = 10

export async function checkDeployment(
  document: JsonSchema,
  source: Source,
  token: string | undefined,
): Promise<CheckedDeployment> {
  const drift: ContractDifference[] = []
  const unread: ContractDifference[] = []
  let asked = 0
  const schemas = buildRecord(buildRecord(document['components'])['schemas'])
  const paths = Object.entries(buildRecord(document['paths']))
  const entries = new Map<string, string>()
  for (const [path, item] of paths) {
    const operation = buildRecord(buildRecord(item)['get'])
    if (operation['operationId'] === undefined || path.includes('{')) continue
    const query = exampleQuery(operation)
    if (query === undefined) continue
    if (isStream(operation)) {
      unread.push({ operation: `GET ${path}`, message: 'is a stream: it is not asked for' })
      continue
    }
    const found = await ask(path, `${path}${query}`, operation)
    if (found === undefined) continue
    const id = firstId(found)
    if (id !== undefined) entries.set(path, id)
    else if (Array.isArray(buildRecord(found)['data']))
      unread.push({ operation: `GET ${path}`, message: 'has no entries: their attributes are not compared' })
    if (takes(operation, 'populate')) await ask(path, `${path}?populate=*`, operation, true)
  }
  for (const [path, item] of paths) {
    const [, list = '', name] = /^(.*)\/\{(id|documentId)\}$/.exec(path) ?? []
    const operation = buildRecord(buildRecord(item)['get'])
    const id = entries.get(list)
    if (name === undefined || operation['operationId'] === undefined || id === undefined) continue
    // Callers who may not read entries get no 404 for missing ones either.
    if ((await ask(path, `${list}/${id}`, operation)) === undefined) continue
    await askForNone(`${list}/${name === 'id' ? 2_000_000_000 : 'nosuchdocumentnosuchdoc0'}`)
  }
  return { asked, drift, unread }

  async function ask(
    path: string,
    target: string,
    operation: JsonSchema,
    populated = false,
  ): Promise<unknown> {
    const name = `GET ${target}`
    const told = (message: string): void => void drift.push({ operation: name, message })
    const response = await readResponse(target, exampleHeaders(operation))
    if ('fault' in response) return void told(response.fault)
    const { status, body } = response
    if (status === 401 || status === 403) {
      if (!populated) unread.push({ operation: name, message: `is answered with ${status}` })
      return undefined
    }
    const schema = schemaFor(operation, status)
    if (status === 404 && !path.includes('{') && !mayBeEmpty(operation))
      return void told('is not served: 404')
    if (status >= 300 && status !== 404) return void told(`is answered with ${status}`)
    if (schema === undefined) return body
    if (body === undefined) return void told('is answered with something that is not JSON')
    tell(name, findFaults(schema, body, { schemas, populated }))
    return status === 200 ? body : undefined
  }

  async function askForNone(target: string): Promise<void> {
    const response = await readResponse(target)
    const name = `GET ${target}`
    if ('fault' in response) return void drift.push({ operation: name, message: response.fault })
    const error = schemas['Error']
    if (response.status !== 404)
      drift.push({ operation: name, message: `is answered with ${response.status}, not 404` })
    else if (isRecord(error)) tell(name, findFaults(error, response.body, { schemas, populated: false }))
  }

  function tell(operation: string, faults: readonly Fault[]): void {
    const once = new Map<string, string>()
    for (const { place, message } of faults) {
      const key = `${place.replaceAll(/\[\d+\]/g, '[]')} ${message}`
      if (!once.has(key)) once.set(key, `${place} ${message}`)
    }
    const messages = [...once.values()]
    for (const message of messages.slice(0, MAX_DIFFERENCES)) drift.push({ operation, message })
    if (messages.length > MAX_DIFFERENCES)
      drift.push({ operation, message: `and ${messages.length - MAX_DIFFERENCES} more` })
  }

  async function readResponse(
    target: string,
    more: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly status: number; readonly body: unknown } | { readonly fault: string }> {
    asked += 1
    const headers = { ...more, ...(token !== undefined && { authorization: `Bearer ${token}` }) }
    try {
      const { status, bytes } = await source.ask({ method: 'GET', target, headers })
      return { status, body: parsed(bytes) }
    } catch (error) {
      return { fault: `is not answered: ${buildFault(error)}` }
    }
  }
}

/** `4XX` stands for all statuses from 400 to 499. */
function schemaFor(operation: JsonSchema, status: number): JsonSchema | undefined {
  const responses = buildRecord(operation['responses'])
  const response =
    responses[String(status)] ?? responses[`${Math.floor(status / 100)}XX`] ?? responses['default']
  const { schema } = buildRecord(buildRecord(buildRecord(response)['content'])['application/json'])
  return isRecord(schema) ? schema : undefined
}

function exampleQuery(operation: JsonSchema): string | undefined {
  const required = requiredIn(operation, 'query')
  if (required.some(({ example }) => typeof example !== 'string')) return undefined
  const query = new URLSearchParams(getExamples(required))
  return required.length === 0 ? '' : `?${query}`
}

function exampleHeaders(operation: JsonSchema): Readonly<Record<string, string>> {
  return getExamples(requiredIn(operation, 'header'))
}

function requiredIn({ parameters }: JsonSchema, place: 'query' | 'header'): readonly JsonSchema[] {
  return (Array.isArray(parameters) ? parameters : [])
    .map(buildRecord)
    .filter((one) => one['in'] === place && one['required'] === true)
}

function getExamples(parameters: readonly JsonSchema[]): Record<string, string> {
  return Object.fromEntries(parameters.map(({ name, example }) => [String(name), String(example)]))
}

function isStream({ responses }: JsonSchema): boolean {
  const content = buildRecord(buildRecord(buildRecord(responses)['200'])['content'])
  return content['text/event-stream'] !== undefined
}

/** A single type without its entry is a 404. */
function mayBeEmpty(operation: JsonSchema): boolean {
  return !takes(operation, 'pagination') && takes(operation, 'populate')
}

function takes(operation: JsonSchema, parameter: string): boolean {
  const { parameters } = operation
  return Array.isArray(parameters) && parameters.some((one) => buildRecord(one)['name'] === parameter)
}

function firstId(body: unknown): string | undefined {
  const { data } = buildRecord(body)
  const { id, documentId } = buildRecord(Array.isArray(data) ? data[0] : undefined)
  const known = documentId ?? id
  return typeof known === 'string' || typeof known === 'number'
    ? encodeURIComponent(String(known))
    : undefined
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString())
  } catch {
    return undefined
  }
}
