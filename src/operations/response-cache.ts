// Caches responses until a dependency changes, and answers `If-None-Match` (RFC 9110, 13.1.2).

import { createHash, type Hash } from 'node:crypto'
import { type Coding, chooseCoding, compress, MIN_COMPRESSED_BYTES } from '../http/content-coding.ts'
import { createHeaderSet } from '../http/header-set.ts'
import { isPromise, type Reply } from '../http/reply.ts'
import type { HttpRequest } from '../http/request.ts'
import { BoundedCache } from '../lib/bounded-cache.ts'
import { encodeText, MIN_LARGE_CHARACTERS } from '../lib/encode-text.ts'
import { getObjectId } from '../lib/exact-key.ts'
import { runInPieces } from '../lib/in-pieces.ts'
import { Dependencies } from '../query/dependencies.ts'

export interface CacheQuery {
  readonly request: HttpRequest
  /** Two permission objects never share a response. */
  readonly caller: object
  /** Everything else that the response depends on, as unique text. */
  readonly query: string
}

export interface ResponseCache {
  /**
   * Returns the cached response, `304 Not Modified`, or the reply of `make`, cached if its status is 200.
   * `make` gets `dependencies` only for a repeated query or a conditional request.
   */
  through(
    query: CacheQuery,
    make: (dependencies: Dependencies | undefined) => Reply | Promise<Reply>,
  ): Reply | Promise<Reply>
}

interface CachedResponse {
  readonly key: string
  readonly dependencies: Dependencies
  /** A hash of the body: a version would reveal changes that the caller may not see. */
  readonly tag: string
  readonly body: Buffer
  readonly contentType: string | undefined
  readonly headers: Reply['headers']
  readonly forms: Map<Coding | typeof IDENTITY, Form>
  readonly weight: number
}

interface Form {
  readonly tag: string
  readonly size: number
  readonly reply: Reply
  readonly notModified: Reply
}

const IDENTITY = 'identity'

const ENTRY_BYTES = 800

interface ResponseCacheOptions {
  /** Bytes for all responses; 0 disables the cache. */
  readonly budget: number
  readonly compresses: boolean
}

export function createResponseCache({ budget, compresses }: ResponseCacheOptions): ResponseCache {
  if (budget === 0) return { through: (_query, make) => make(undefined) }
  const responses = new BoundedCache<CachedResponse>({ name: 'answers', budget })

  /**
   * Only for anonymous callers: in other responses, the compressed size of secrets beside a client's text
   * would reveal them.
   */
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
    // Each coding has its own tag (RFC 9110, 8.8.3.3).
    const version = headers?.['etag']?.replaceAll('"', '')
    const tag = `"${version === undefined ? '' : `${version}-`}${hash}${coding === IDENTITY ? '' : `-${coding}`}"`
    const common = {
      ...headers,
      // Preconditions are for GET; a GraphQL query sent by POST gets no tag.
      ...(key.startsWith('POST') ? {} : { etag: tag }),
      // Compression depends on the caller, too.
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
      const weight = body.length + 2 * key.length + ENTRY_BYTES
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
    if (text.length > MIN_LARGE_CHARACTERS)
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
const MAX_HASH_BYTES = 256 * 1024

async function tagInPieces(body: Buffer): Promise<string> {
  const hash = createHash('sha256')
  await runInPieces(body.length, (start) => {
    hash.update(body.subarray(start, start + MAX_HASH_BYTES))
    return start + MAX_HASH_BYTES
  })
  return getTag(hash)
}

function varyingBy(own: string | undefined): string {
  const names = own === undefined ? [] : own.split(',').map((name) => name.trim())
  return [...new Set([...names, 'Accept-Encoding', 'Authorization'])].join(', ')
}

/** A query by POST is cached apart from the same by GET, because only the latter has a tag. */
function keyFor({ request, caller, query }: CacheQuery): string {
  return `${request.method === 'POST' ? 'POST' : 'GET'} ${getObjectId(caller)} ${request.path} ${query}`
}

function replyIn({ tag, reply, notModified }: Form, request: HttpRequest): Reply {
  if (request.method === 'POST') return reply
  const has = request.header('if-none-match')
  return has !== undefined && hasTag(has, tag) ? notModified : reply
}

/** Compares tags weakly, as RFC 9110 13.1.2 requires. */
function hasTag(list: string, tag: string): boolean {
  if (list.trim() === '*') return true
  return list.split(',').some((one) => one.trim().replace(/^W\//, '') === tag)
}
