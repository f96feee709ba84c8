// Keeps finished answers to reads, each until something that it was read from has changed (decision 0200), and lets
// clients ask whether theirs is still right (RFC 9110, 13.1.2). Answers to anonymous callers are compressed.

import { createHash, type Hash } from 'node:crypto'
import { BoundedCache } from '../util/bounded-cache.ts'
import { encodeText, LARGE_TEXT } from '../util/encode-text.ts'
import { objectId } from '../util/exact-key.ts'
import { inPieces } from '../util/in-pieces.ts'
import { type Coding, chooseCoding, compress, SMALLEST } from './content-coding.ts'
import { createHeaderSet } from './header-set.ts'
import type { Reply } from './reply.ts'
import type { HttpRequest } from './request.ts'

/** A number that grows whenever the answer may have changed; undefined while that cannot be known. */
export type Version = () => number | undefined

/** What an answer is read from. Each part is added before it is read: a later write makes the answer stale, never wrong. */
export class ReadFrom {
  private readonly parts: Version[] = []
  private sum: number | undefined = 0

  add(version: Version): void {
    this.parts.push(version)
    this.sum = plus(this.sum, version())
  }

  /** The sum of the versions when the parts were read; undefined: the answer cannot be kept. */
  get version(): number | undefined {
    return this.sum
  }

  /** The versions only grow, so an equal sum means that none has changed. */
  get isCurrent(): boolean {
    if (this.sum === undefined) return false
    let now: number | undefined = 0
    for (const part of this.parts) now = plus(now, part())
    return now === this.sum
  }
}

function plus(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one + other
}

/** A question of one kind of callers. */
export interface Asked {
  readonly request: HttpRequest
  /** What the caller may do: answers are never shared between two of these objects. */
  readonly caller: object
  /** What the answer depends on besides the caller, in a text that no other question has. */
  readonly question: string
  /** Written at the first use: the text by which the answer is kept. */
  key?: string | undefined
}

export interface KeptAnswers {
  /** Returns the kept answer if it is still right, or `304 Not Modified` to a client that has it. */
  find(asked: Asked): Reply | Promise<Reply> | undefined
  /** Whether an answer to this question is worth keeping: it is asked for again, or in the hope of a 304. */
  wants(asked: Asked): boolean
  /** Keeps the answer if it is a 200 and what it was read from is known. Returns what to send. */
  keep(asked: Asked, reply: Reply, readFrom: ReadFrom): Reply | Promise<Reply>
}

interface Kept {
  readonly key: string
  readonly readFrom: ReadFrom
  /** The hash of the body: a version would show that something changed that the caller may not see. */
  readonly tag: string
  readonly body: Buffer
  readonly contentType: string | undefined
  readonly headers: Reply['headers']
  readonly forms: Map<Coding | typeof IDENTITY, Form>
  /** Bytes without the compressed bodies. */
  readonly weight: number
}

/** The answer in one coding. */
interface Form {
  readonly tag: string
  /** Bytes beside those of the body as it is. */
  readonly size: number
  readonly reply: Reply
  readonly notModified: Reply
}

const IDENTITY = 'identity'

/** Bytes of a kept answer beside its body. */
const OVERHEAD = 800

const NONE: KeptAnswers = {
  find: () => undefined,
  wants: () => false,
  keep: (_asked, reply) => reply,
}

export interface KeptAnswersOptions {
  /** Bytes for all kept answers; 0 keeps none. */
  readonly budget: number
  readonly compresses: boolean
}

export function createKeptAnswers({ budget, compresses }: KeptAnswersOptions): KeptAnswers {
  if (budget === 0) return NONE
  const answers = new BoundedCache<Kept>({ name: 'answers', budget })

  /** Only answers to anonymous callers: in others, the size of secrets beside text from outside would tell about them. */
  function codingFor(request: HttpRequest, { length }: Buffer): Coding | undefined {
    if (!compresses || length < SMALLEST || request.header('authorization') !== undefined) return undefined
    return chooseCoding(request.header('accept-encoding'))
  }

  function send(kept: Kept, request: HttpRequest): Reply | Promise<Reply> {
    const coding = codingFor(request, kept.body)
    const known = kept.forms.get(coding ?? IDENTITY)
    if (known !== undefined) return replyIn(known, request)
    if (coding === undefined) return replyIn(addForm(kept, IDENTITY, kept.body), request)
    const compressed = compress(coding, kept.body)
    if (compressed === undefined)
      return replyIn(kept.forms.get(IDENTITY) ?? addForm(kept, IDENTITY, kept.body), request)
    return compressed.then((body) => replyIn(addForm(kept, coding, body), request))
  }

  function addForm(kept: Kept, coding: Coding | typeof IDENTITY, body: Buffer): Form {
    const form = formOf(kept, coding, body)
    kept.forms.set(coding, form)
    // It is weighed again, unless another answer has taken its place.
    if (coding !== IDENTITY && answers.get(kept.key)?.forms === kept.forms) {
      const weight = [...kept.forms.values()].reduce((sum, { size }) => sum + size, kept.weight)
      answers.set(kept.key, { ...kept }, weight)
    }
    return form
  }

  function formOf(
    { key, tag: hash, body: plain, contentType, headers }: Kept,
    coding: string,
    body: Buffer,
  ): Form {
    // A representation in another coding is another one, with a tag of its own (RFC 9110, 8.8.3.3).
    const tag = `"${hash}${coding === IDENTITY ? '' : `-${coding}`}"`
    const common = {
      ...headers,
      // Preconditions are for reads; a GraphQL query that is posted is none.
      ...(key.startsWith('POST') ? {} : { etag: tag }),
      // Whether an answer is compressed depends on who asks, too.
      ...(compresses && plain.length >= SMALLEST ? { vary: varyingBy(headers?.['vary']) } : {}),
    }
    const coded = coding === IDENTITY ? common : { ...common, 'content-encoding': coding }
    return {
      tag,
      size: coding === IDENTITY ? 0 : body.length,
      reply: { status: 200, prepared: createHeaderSet(coded), body, contentType },
      notModified: { status: 304, prepared: createHeaderSet(common) },
    }
  }

  return {
    find(asked) {
      const kept = answers.get(keyOf(asked))
      if (kept === undefined) return undefined
      if (kept.readFrom.isCurrent) return send(kept, asked.request)
      return undefined
    },

    wants(asked) {
      return answers.meet(keyOf(asked)) || asked.request.header('if-none-match') !== undefined
    },

    keep(asked, reply, readFrom) {
      const { status, body: text, contentType, headers } = reply
      if (status !== 200 || typeof text !== 'string' || readFrom.version === undefined) return reply
      const keepBody = (body: Buffer, tag: string): Reply | Promise<Reply> => {
        const key = keyOf(asked)
        const weight = body.length + 2 * key.length + OVERHEAD
        const kept: Kept = { key, readFrom, tag, body, contentType, headers, forms: new Map(), weight }
        answers.set(key, kept, weight)
        return send(kept, asked.request)
      }
      if (text.length > LARGE_TEXT)
        return encodeText(text).then(async (body) => keepBody(body, await tagInPieces(body)))
      const body = Buffer.from(text)
      return keepBody(body, tagOf(createHash('sha256').update(body)))
    },
  }
}

function tagOf(hash: Hash): string {
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
  return tagOf(hash)
}

/** `own`: what the answer varies by besides. */
function varyingBy(own: string | undefined): string {
  const names = own === undefined ? [] : own.split(',').map((name) => name.trim())
  return [...new Set([...names, 'Accept-Encoding', 'Authorization'])].join(', ')
}

/** A posted query is another question than the same one in a URL, because only the latter has a tag. */
function keyOf(asked: Asked): string {
  const { request, caller, question, key } = asked
  if (key !== undefined) return key
  asked.key = `${request.method === 'POST' ? 'POST' : 'GET'} ${objectId(caller)} ${request.path} ${question}`
  return asked.key
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
