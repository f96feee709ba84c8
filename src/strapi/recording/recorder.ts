// Forwards requests to the recorded server, and notes each with its response.

import type { Reply } from '../../http/reply.ts'
import type { IncomingRequest } from '../../http/request.ts'
import type { ServedHandler } from '../../http/server.ts'
import { buildFault, type Source, type SourceRequest, type SourceResponse } from '../../http/source.ts'
import { buildRecord } from '../../lib/is-record.ts'
import { formatText, type Json } from '../import/strapi-source.ts'
import type { Builder, Exchange, RecordedCaller, Recording, Snapshot } from './exchange.ts'
import { getSegment, readBuilder, typeAt } from './read-builder.ts'
import { createRecordingBudget } from './recording-budget.ts'
import { hasSecret, withoutSecrets } from './secrets.ts'
import { takeSnapshot } from './take-snapshot.ts'

interface RecorderOptions {
  readonly source: Source
  readonly token?: string | undefined
  readonly adminToken?: string | undefined
  readonly progress: (text: string) => void
}

export interface Recorder {
  readonly handler: ServedHandler
  finish(): Promise<Recording>
}

const MAX_REQUESTS = 2000
const MAX_LOCALES = 1000
/** Headers that belong to one connection, or that the transport makes itself (RFC 9110, 7.6.1). */
const OWN_HEADERS =
  /^(?:host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|proxy-.*|content-length|accept-encoding|content-encoding|x-request-id)$/

const PLAIN = /^[\t\x20-\x7e]*$/

export async function createRecorder({
  source,
  token,
  adminToken,
  progress,
}: RecorderOptions): Promise<Recorder> {
  const exchanges: (Exchange | undefined)[] = []
  const budget = createRecordingBudget()
  const leftOut = new Map<string, number>()
  const secrets = new Set([token, adminToken].filter((one) => one !== undefined))
  const callers = new Map<string, RecordedCaller>()
  const snapshots = new Map<string, Promise<Snapshot | undefined>>()
  const builder = await readBuilder(source, token, adminToken, budget)

  const getCaller = (header: string | undefined): RecordedCaller | undefined => {
    if (header === undefined) return undefined
    const [, secret = header] = /^Bearer (.+)$/i.exec(header) ?? []
    secrets.add(secret)
    const known = callers.get(secret)
    if (known !== undefined) return known
    const tokens = [...callers.values()].filter((caller) => 'token' in caller).length
    // A user's token is a JWT of three parts; an API token is a single word.
    const caller: RecordedCaller =
      secret.split('.').length === 3 ? { role: 'authenticated' } : { token: `recorded-${tokens + 1}` }
    callers.set(secret, caller)
    return caller
  }
  /** Also reads related content-types, because linked entries must exist. */
  const read = async (segment: string, secret: string | undefined): Promise<void> => {
    const taken = snapshots.get(segment)
    if (taken !== undefined) return void (await taken)
    const schema = builder && typeAt(builder, segment)?.schema
    const taking = takeSnapshot(source, segment, {
      schema,
      token: token ?? secret,
      budget,
      progress: (entries) => progress(`${entries} entries of /api/${segment} are read`),
    })
    snapshots.set(segment, taking)
    await taking
    if (builder !== undefined && schema !== undefined)
      await Promise.all(listTargets(builder, schema).map((target) => read(target, secret)))
  }

  const asked = async (asking: SourceRequest): Promise<SourceResponse | { readonly fault: string }> => {
    try {
      return await source.ask(asking)
    } catch (error) {
      return { fault: buildFault(error) }
    }
  }

  return {
    async handler(request) {
      const { method, path, query } = request
      const authorization = request.header('authorization')
      const sent = request.body.present ? await request.body.bytes() : undefined
      const reason = reasonToLeaveOut(request, exchanges.length)
      const place = reason === undefined ? exchanges.push(undefined) - 1 : undefined
      const caller = getCaller(authorization)
      const segment = /^\/api\/([^/]+)/.exec(path)?.[1]
      if (place !== undefined && segment !== undefined)
        await read(segment, authorization?.replace(/^Bearer /i, ''))
      const response = await asked({
        method,
        target: query === '' ? path : `${path}?${query}`,
        headers: Object.fromEntries(
          request.headerNames().flatMap((name) => {
            const value = request.header(name)
            return OWN_HEADERS.test(name) || value === undefined ? [] : [[name, value]]
          }),
        ),
        body: sent,
        signal: request.signal,
      })
      if ('fault' in response)
        return {
          status: 502,
          body: `${source.url} does not answer: ${response.fault}\n`,
          contentType: 'text/plain',
        }
      const { status, headers, bytes } = response
      const body = parsed(bytes)
      const send = sent === undefined ? undefined : parsed(sent)
      const unsaid = status >= 500 || status === 401 || status === 429
      const why =
        reason ??
        (unsaid
          ? `answered with ${status}`
          : body === undefined && status !== 204
            ? 'the response is not JSON'
            : place !== undefined && !budget.take([send, body])
              ? 'larger or nested more deeply than is recorded'
              : undefined)
      if (why !== undefined) leftOut.set(why, (leftOut.get(why) ?? 0) + 1)
      else if (place !== undefined)
        exchanges[place] = {
          ...{ method, path, query, caller, status },
          send: withoutSecrets(send, secrets, false),
          body: withoutSecrets(body, secrets, true),
        }
      return buildReply(status, headers, bytes)
    },
    async finish() {
      const taken = new Map<string, Snapshot>()
      for (const [segment, taking] of snapshots) {
        const snapshot = await taking
        if (snapshot === undefined) continue
        taken.set(segment, withoutSecrets(snapshot, secrets, true) as unknown as Snapshot)
      }
      const locales = await source.get('/api/i18n/locales', token)
      return {
        exchanges: exchanges.filter((one) => one !== undefined),
        snapshots: taken,
        builder,
        locales: Array.isArray(locales)
          ? locales
              .slice(0, MAX_LOCALES)
              .map(buildRecord)
              .map(({ code, name, isDefault }) => ({
                code: formatText(code),
                name: formatText(name, formatText(code)),
                isDefault: isDefault === true,
              }))
          : [],
        leftOut,
      }
    },
  }
}

function reasonToLeaveOut(request: IncomingRequest, noted: number): string | undefined {
  const { method, path, query } = request
  if (noted >= MAX_REQUESTS) return `more than ${MAX_REQUESTS} requests`
  if (!/^(?:GET|POST|PUT|PATCH|DELETE)$/.test(method)) return `${method} is not of the API`
  // Security: requests about accounts contain personal data, passwords and tokens.
  if (/^\/api\/(?:auth|users|connect|users-permissions)(?:\/|$)/.test(path)) return 'requests about accounts'
  if (!path.startsWith('/api/')) return path === '/graphql' ? 'GraphQL' : 'not below /api'
  if (/^\/api\/(?:upload|i18n|content-type-builder)(?:\/|$)/.test(path))
    return 'requests about files, locales and types'
  if (hasSecret(query)) return 'a secret in the query'
  const type = request.header('content-type')
  if (request.body.present && type !== undefined && !/^application\/json\b/i.test(type))
    return 'the body is not JSON'
  return undefined
}

function listTargets(builder: Builder, schema: Json): readonly string[] {
  return Object.values(buildRecord(schema['attributes'])).flatMap((attribute) => {
    const { type, target } = buildRecord(attribute)
    const segment =
      type === 'relation' && typeof target === 'string' ? getSegment(builder, target) : undefined
    return segment === undefined ? [] : [segment]
  })
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString())
  } catch {
    return undefined
  }
}

function buildReply(status: number, headers: Headers, body: Uint8Array): Reply {
  const kept = [...headers].filter(
    ([name, value]) => !OWN_HEADERS.test(name) && name !== 'content-type' && PLAIN.test(value),
  )
  return {
    status,
    headers: Object.fromEntries(kept),
    ...(body.length === 0 ? {} : { body }),
    contentType: headers.get('content-type') ?? undefined,
  }
}
