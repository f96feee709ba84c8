// What the pages ask for, by method and path below `/_console`.

import { explainPermission } from '../describe/explain-permission.ts'
import { permissionMatrix } from '../describe/permission-matrix.ts'
import { ownTypes } from '../describe/type-paths.ts'
import { ApiError } from '../errors/api-error.ts'
import { parseBody } from '../http/body/parse-body.ts'
import type { HttpRequest } from '../http/request.ts'
import { isRecord } from '../util/is-record.ts'
import { createAsking, tokenOf } from './ask.ts'
import type { ConsoleParts } from './console-parts.ts'
import { describeTypes } from './describe-types.ts'
import type { Home, Matrix, State } from './described.ts'
import { planText, readSchema, saveText, showFile } from './file.ts'
import { privateValues } from './private-values.ts'
import { dataText } from './write-data.ts'

export type ConsoleAnswer = (request: HttpRequest) => unknown

export function createAnswers(parts: ConsoleParts): ReadonlyMap<string, ConsoleAnswer> {
  const { place, traffic } = parts
  const ask = createAsking(parts)
  const answers: readonly (readonly [string, ConsoleAnswer])[] = [
    ['GET /_console/state', (request) => stateOf(parts, new URLSearchParams(request.query))],
    ['GET /_console/home', () => homeOf(parts)],
    ['GET /_console/model', async () => describeTypes(place(), (await parts.check()).source)],
    ['GET /_console/access', (): Matrix => permissionMatrix(place().config, place().model)],
    [
      'POST /_console/explain',
      async (request) => {
        const { who, action } = texts(await given(request), 'who', 'action')
        const { config, model } = place()
        const explained = explainPermission(config, model, who, action)
        if ('fault' in explained) throw new ApiError('ValidationError', explained.fault)
        return explained
      },
    ],
    [
      'POST /_console/token',
      async (request) => ({ token: await tokenOf(parts, texts(await given(request), 'as').as) }),
    ],
    ['POST /_console/ask', async (request) => ask(await given(request))],
    ['POST /_console/private', async (request) => privateValues(place(), await given(request))],
    ['POST /_console/data', async (request) => dataText(place(), await given(request))],
    ['GET /_console/file', () => showFile(parts)],
    ['GET /_console/schema', () => readSchema()],
    ['POST /_console/plan', async (request) => planText(parts, texts(await given(request), 'text').text)],
    ['PUT /_console/file', async (request) => saveText(parts, texts(await given(request), 'text', 'hash'))],
  ]
  /** What is asked for again and again keeps the traffic awake. */
  return new Map(
    answers.map(([name, answer]) => [
      name,
      (request) => {
        traffic.wake()
        return answer(request)
      },
    ]),
  )
}

/** `requests`, `readings`: the numbers of the last ones that the page has. */
function stateOf({ traffic, readings, file }: ConsoleParts, asked: URLSearchParams): State {
  const all = readings()
  const from = (name: string): number => Number(asked.get(name) ?? 0) || 0
  const last = all.at(-1)
  return {
    file,
    generation: all.findLast(({ outcome }) => outcome === 'reloaded' || outcome === 'started')?.number,
    wrong: last?.outcome === 'rejected' ? last.report : undefined,
    readings: all.filter(({ number }) => number > from('readings')),
    ...(asked.has('requests') ? { requests: traffic.after(from('requests')) } : {}),
  }
}

async function homeOf({ place, database, transport, file, edit }: ConsoleParts): Promise<Home> {
  const { config, model, content, graphqlEndpoint } = place()
  const counts: Record<string, number> = {}
  for (const type of ownTypes(model))
    counts[type.uid] = await content.count(type, { publicationState: 'preview', locale: 'all' })
  return {
    counts,
    file,
    edit,
    transport: transport(),
    database: { client: config.database.client, durable: database.durable },
    environment: config.server.environment,
    graphql: graphqlEndpoint,
    prefix: config.rest.prefix,
    roles: Object.entries(config.auth.roles).map(([type, { name, description }]) => ({
      type,
      name,
      description,
    })),
    users: config.auth.users.flatMap(({ username }) => (typeof username === 'string' ? [username] : [])),
    tokens: config.auth.apiTokens.flatMap(({ name, token }) => (token === undefined ? [] : [name])),
  }
}

async function given(request: HttpRequest): Promise<Readonly<Record<string, unknown>>> {
  const body = await parseBody(request)
  if (body.kind === 'value' && isRecord(body.value)) return body.value
  throw new ApiError('BadRequestError', 'send a JSON object')
}

function texts<K extends string>(
  given: Readonly<Record<string, unknown>>,
  ...names: readonly K[]
): Readonly<Record<K, string>> {
  for (const name of names) {
    if (typeof given[name] !== 'string') throw new ApiError('ValidationError', `${name} must be a text`)
  }
  return given as Readonly<Record<K, string>>
}
