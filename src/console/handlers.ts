// The responses to the console's pages, by method and path below `/_console`.

import { toAuthorText } from '../config/author-text.ts'
import { writeYaml } from '../config/yaml/write-yaml.ts'
import { explainPermission } from '../describe/explain-permission.ts'
import { buildPermissionMatrix } from '../describe/permission-matrix.ts'
import type { HttpRequest } from '../http/request.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import { ownTypes } from '../model/actions.ts'
import type { FeedEvent } from '../plugins/feed.ts'
import { createAsking, readToken } from './ask.ts'
import type { ConsoleContext, LastNumbers, LiveApp, ProcessUpdate } from './console-context.ts'
import { countEntries } from './count-entries.ts'
import type { ChangeSummary, Changes, Home, Matrix, Scans, State } from './described.ts'
import { planSentText, readSchema, saveText, showFile } from './file.ts'
import { readPrivateValues } from './private-values.ts'
import { readBody } from './read-body.ts'
import { readModel } from './read-model.ts'

type ConsoleHandler = (request: HttpRequest) => unknown

export function createConsoleHandlers(parts: ConsoleContext): ReadonlyMap<string, ConsoleHandler> {
  const { place, traffic } = parts
  const ask = createAsking(parts)
  const responses: readonly (readonly [string, ConsoleHandler])[] = [
    ['GET /_console/state', (request) => readState(parts, new URLSearchParams(request.query))],
    ['GET /_console/changes', ({ query }) => changesAfter(place(), new URLSearchParams(query).get('after'))],
    ['GET /_console/home', () => readHome(parts)],
    ['GET /_console/scans', () => getScans(parts)],
    ['GET /_console/model', () => readModel(parts)],
    ['GET /_console/access', (): Matrix => buildPermissionMatrix(place().config, place().model)],
    [
      'POST /_console/explain',
      async (request) => {
        const { who, action } = texts(await readBody(request), 'who', 'action')
        const { config, model } = place()
        const explained = explainPermission(config, model, who, action)
        if ('fault' in explained) throw new ApiError('ValidationError', explained.fault)
        return explained
      },
    ],
    [
      'POST /_console/token',
      async (request) => ({ token: await readToken(parts, texts(await readBody(request), 'as').as) }),
    ],
    ['POST /_console/ask', async (request) => ask(await readBody(request))],
    ['POST /_console/private', async (request) => readPrivateValues(place(), await readBody(request))],
    ['POST /_console/data', async (request) => dataText(place(), await readBody(request))],
    ['GET /_console/file', () => showFile(parts)],
    ['GET /_console/schema', () => readSchema()],
    [
      'POST /_console/plan',
      async (request) => planSentText(parts, texts(await readBody(request), 'text').text),
    ],
    [
      'PUT /_console/file',
      async (request) => saveText(parts, texts(await readBody(request), 'text', 'hash')),
    ],
  ]
  /** Each request of a page extends the recording of traffic. */
  return new Map(
    responses.map(([name, response]) => [
      name,
      (request) => {
        traffic.wake()
        return response(request)
      },
    ]),
  )
}

/** Numbers by process: `4711:12,4712:9`. */
async function readState({ file, lookAtAll }: ConsoleContext, asked: URLSearchParams): Promise<State> {
  const looks = await lookAtAll({
    readings: numbersIn(asked.get('readings')),
    requests: asked.has('requests') ? numbersIn(asked.get('requests')) : undefined,
  })
  const inOrder = <T extends { readonly at: number }>(list: (look: ProcessUpdate) => readonly T[]) =>
    looks
      .flatMap((look) => list(look).map((one) => ({ ...one, process: look.process })))
      .toSorted((one, other) => one.at - other.at)
  return {
    file,
    processes: looks.length,
    generation: Math.max(0, ...looks.map(({ live }) => live)),
    wrong: looks.find(({ wrong }) => wrong !== undefined)?.wrong,
    readings: inOrder(({ readings }) => readings),
    requests: inOrder(({ requests }) => requests),
  }
}

function numbersIn(text: string | null): LastNumbers {
  return Object.fromEntries(
    (text ?? '').split(',').flatMap((part) => {
      const [, process, number] = /^(\d+):(\d+)$/.exec(part) ?? []
      return process === undefined ? [] : [[process, Number(number)]]
    }),
  )
}

function getScans({ place }: ConsoleContext): Scans {
  const { config, content } = place()
  const { scanWarning } = config.rest.limits
  return { scans: scanWarning === null ? [] : content.scans(scanWarning) }
}

async function readHome({ place, database, transport, file, edit }: ConsoleContext): Promise<Home> {
  const live = place()
  const { config, model, graphqlEndpoint } = live
  return {
    counts: await countEntries(live, ownTypes(model)),
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

function texts<K extends string>(
  given: Readonly<Record<string, unknown>>,
  ...names: readonly K[]
): Readonly<Record<K, string>> {
  for (const name of names) {
    if (typeof given[name] !== 'string') throw new ApiError('ValidationError', `${name} must be a text`)
  }
  return given as Readonly<Record<K, string>>
}

/** `entries`: attribute values by name, as the API returned them. */
function dataText(
  { model }: LiveApp,
  { type: uid, entries }: Readonly<Record<string, unknown>>,
): { readonly text: string } {
  const type = typeof uid === 'string' ? model.contentTypes.get(uid) : undefined
  if (type === undefined || !Array.isArray(entries))
    throw new ApiError('ValidationError', 'type must be the uid of a content-type, and entries a list')
  return { text: writeYaml(toAuthorText({ data: { [type.sourceKey ?? type.uid]: entries } })) }
}

/** `after`: an event's id; null or an unknown id returns only the last position. */
async function changesAfter({ feed }: LiveApp, after: string | null): Promise<Changes> {
  if (feed === undefined) return { recorded: false, last: undefined, changes: [] }
  const last = await feed.position()
  const [from, upTo] = [after === null ? undefined : await feed.getNumber(after), await feed.getNumber(last)]
  if (from === undefined || upTo === undefined) return { recorded: true, last, changes: [] }
  const read = await feed.read(from, upTo)
  return { recorded: true, last: feed.getId(read.upTo), changes: read.events.map(shown) }
}

function shown({ number, at, action, type, entry, locale, document, attributes }: FeedEvent): ChangeSummary {
  const { uid } = type
  return {
    number,
    at,
    action,
    type: uid,
    entry,
    documentId: document?.id,
    locale,
    status: document?.status,
    attributes,
  }
}
