// Caches responses to reads, each until something that it was read from has changed (decision 0008), and lets clients ask
// whether theirs is still right (RFC 9110, 13.1.2). Responses to anonymous callers are compressed.

import { createHash, type Hash } from 'node:crypto'
import { type Coding, chooseCoding, compress, MIN_COMPRESSED_BYTES } from '../http/content-coding.ts'
import { createHeaderSet } from '../http/header-set.ts'
import { isPromise, type Reply } from '../http/reply.ts'
import type { HttpRequest } from '../http/request.ts'
import { BoundedCache } from '../lib/bounded-cache.ts'
import { encodeText, LARGE_TEXT } from '../lib/encode-text.ts'
import { objectId } from '../lib/exact-key.ts'
import { inPieces } from '../lib/in-pieces.ts'
import { Dependencies } from '../query/dependencies.ts'

/** A query of one kind of callers. */
export interface CacheQuery {
  readonly request: HttpRequest
  /** The rights of the caller: responses are never shared between two of these objects. */
  readonly caller: object
  /** The rest that the response depends on, in a text that no other query has. */
  readonly query: string
}

export interface ResponseCache {
  /**
   * Returns the cached response if it is still right, `304 Not Modified` to a client that has it, or else what `make` returns,
   * cached if it is a 200. `dependencies` is given where the response is worth caching: the query is asked again, or in the
   * hope of a 304.
   */
  through(
    query: CacheQuery,
    make: (dependencies: Dependencies | undefined) => Reply | Promise<Reply>,
  ): Reply | Promise<Reply>
}

interface CachedResponse {
  readonly key: string
  readonly dependencies: Dependencies
  /** The hash of the body: a version would show that something changed that the caller may not see. */
  readonly tag: string
  readonly body: Buffer
  readonly contentType: string | undefined
  readonly headers: Reply['headers']
  readonly forms: Map<Coding | typeof IDENTITY, Form>
  /** Bytes without the compressed bodies. */
  readonly weight: number
}

/** The response in one coding. */
interface Form {
  readonly tag: string
  /** Bytes beside those of the body as it is. */
  readonly size: number
  readonly reply: Reply
  readonly notModified: Reply
}

const IDENTITY = 'identity'

/** Bytes of a cached response beside its body. */
const OVERHEAD = 800

interface ResponseCacheOptions {
  /** Bytes for all responses; 0 caches none. */
  readonly budget: number
  readonly compresses: boolean
}

export function createResponseCache({ budget, compresses }: ResponseCacheOptions): ResponseCache {
  if (budget === 0) return { through: (_query, make) => make(undefined) }
  const responses = new BoundedCache<CachedResponse>({ name: 'answers', budget })

  /** Only responses to anonymous callers: in others, the size of secrets beside text from outside would tell about them. */
  function codingFor(request: HttpRequest, { length }: Buffer): Coding | undefined {
    if (!compresses || length < MIN_COMPRESSED_BYTES || request.header('authorization') !== undefined)
      return undefined
    return chooseCoding(request.header('accept-encoding'))
  }

  function send(cached: CachedResponse, request: HttpRequest): Reply | Promise<Reply> {
    const coding = codingFor(request, cached.body)
    const known = cached.forms.get(coding ?? IDENTITY)
    if (known !== undefined) return replyIn(known, request)
    if (coding === undefined) return replyIn(addForm(cached, IDENTITY, cached.body), request)
    const compressed = compress(coding, cached.body)
    if (compressed === undefined)
      return replyIn(cached.forms.get(IDENTITY) ?? addForm(cached, IDENTITY, cached.body), request)
    return compressed.then((body) => replyIn(addForm(cached, coding, body), request))
  }

  function addForm(cached: CachedResponse, coding: Coding | typeof IDENTITY, body: Buffer): Form {
    const form = getForm(cached, coding, body)
    cached.forms.set(coding, form)
    // It is weighed again, unless another response has taken its place.
    if (coding !== IDENTITY && responses.get(cached.key)?.forms === cached.forms) {
      const weight = [...cached.forms.values()].reduce((sum, { size }) => sum + size, cached.weight)
      responses.set(cached.key, { ...cached }, weight)
    }
    return form
  }

  function getForm(
    { key, tag: hash, body: plain, contentType, headers }: CachedResponse,
    coding: string,
    body: Buffer,
  ): Form {
    // A representation in another coding is another one, with a tag of its own (RFC 9110, 8.8.3.3).
    const tag = `"${hash}${coding === IDENTITY ? '' : `-${coding}`}"`
    const common = {
      ...headers,
      // Preconditions are for reads; a GraphQL query that is posted is none.
      ...(key.startsWith('POST') ? {} : { etag: tag }),
      // Whether a response is compressed depends on who asks, too.
      ...(compresses && plain.length >= MIN_COMPRESSED_BYTES ? { vary: varyingBy(headers?.['vary']) } : {}),
    }
    const coded = coding === IDENTITY ? common : { ...common, 'content-encoding': coding }
    return {
      tag,
      size: coding === IDENTITY ? 0 : body.length,
      reply: { status: 200, prepared: createHeaderSet(coded), body, contentType },
      notModified: { status: 304, prepared: createHeaderSet(common) },
    }
  }

  function keep(
    key: string,
    request: HttpRequest,
    reply: Reply,
    dependencies: Dependencies,
  ): Reply | Promise<Reply> {
    const { status, body: text, contentType, headers } = reply
    if (status !== 200 || typeof text !== 'string' || !dependencies.areKnown) return reply
    const keepBody = (body: Buffer, tag: string): Reply | Promise<Reply> => {
      const weight = body.length + 2 * key.length + OVERHEAD
      const cached: CachedResponse = {
        key,
        dependencies,
        tag,
        body,
        contentType,
        headers,
        forms: new Map(),
        weight,
      }
      responses.set(key, cached, weight)
      return send(cached, request)
    }
    if (text.length > LARGE_TEXT)
      return encodeText(text).then(async (body) => keepBody(body, await tagInPieces(body)))
    const body = Buffer.from(text)
    return keepBody(body, getTag(createHash('sha256').update(body)))
  }

  return {
    through(query, make) {
      const { request } = query
      const key = keyFor(query)
      const cached = responses.get(key)
      if (cached?.dependencies.areCurrent === true) return send(cached, request)
      const isWanted = responses.meet(key) || request.header('if-none-match') !== undefined
      if (!isWanted) return make(undefined)
      const dependencies = new Dependencies()
      const reply = make(dependencies)
      if (isPromise(reply)) return reply.then((later) => keep(key, request, later, dependencies))
      return keep(key, request, reply, dependencies)
    },
  }
}

function getTag(hash: Hash): string {
  return hash.digest('base64url').slice(0, 27)
}

/** Bytes that are hashed within a millisecond. */
const HASHED_AT_ONCE = 256 * 1024

async function tagInPieces(body: Buffer): Promise<string> {
  const hash = createHash('sha256')
  await inPieces(body.length, (start) => {
    hash.update(body.subarray(start, start + HASHED_AT_ONCE))
    return start + HASHED_AT_ONCE
  })
  return getTag(hash)
}

/** `own`: what the response varies by besides. */
function varyingBy(own: string | undefined): string {
  const names = own === undefined ? [] : own.split(',').map((name) => name.trim())
  return [...new Set([...names, 'Accept-Encoding', 'Authorization'])].join(', ')
}

/** A posted query is another one than the same in a URL, because only the latter has a tag. */
function keyFor({ request, caller, query }: CacheQuery): string {
  return `${request.method === 'POST' ? 'POST' : 'GET'} ${objectId(caller)} ${request.path} ${query}`
}

function replyIn({ tag, reply, notModified }: Form, request: HttpRequest): Reply {
  if (request.method === 'POST') return reply
  const has = request.header('if-none-match')
  return has !== undefined && hasTag(has, tag) ? notModified : reply
}

/** Whether the list of tags names this one; they are compared weakly, as RFC 9110 13.1.2 asks. */
function hasTag(list: string, tag: string): boolean {
  if (list.trim() === '*') return true
  return list.split(',').some((one) => one.trim().replace(/^W\//, '') === tag)
}
