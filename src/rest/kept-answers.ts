// Keeps finished answers to reads, each until something that it was read from has changed (decision 0200), and lets
// clients ask whether theirs is still right (RFC 9110, 13.1.2).

import { createHash } from 'node:crypto'
import type { Permissions } from '../auth/principal.ts'
import type { Reply } from '../http/reply.ts'
import type { HttpRequest } from '../http/request.ts'
import { BoundedCache } from '../util/bounded-cache.ts'
import { objectId } from '../util/exact-key.ts'
import { isCustomized } from './own-parts.ts'

/** Names one answer to one kind of callers. */
export interface AnswerKey {
  readonly request: HttpRequest
  readonly permissions: Permissions
  /** The version of everything that the answer is read from, before it is read; undefined: not known. */
  readonly version: number | undefined
}

/** Returns the kept answer, `304 Not Modified` for a client that has it, or what `read` returns. */
export type KeepAnswers = (key: AnswerKey, read: () => Reply | Promise<Reply>) => Reply | Promise<Reply>

interface Kept {
  readonly version: number
  readonly tag: string
  readonly reply: Reply
}

/** Bytes of a kept answer beside its body. */
const OVERHEAD = 500

/** `budget`: bytes for all kept answers; 0 keeps none. */
export function createAnswerMemory(budget: number): KeepAnswers {
  if (budget === 0) return (_key, read) => read()
  const answers = new BoundedCache<Kept>({ budget })

  return ({ request, permissions, version }, read) => {
    // Middlewares read and change the answer itself.
    if (version === undefined || isCustomized(request)) return read()
    const key = `${objectId(permissions)} ${request.path}?${request.query}`
    const known = answers.get(key)
    const has = request.header('if-none-match')
    if (known?.version === version) return replyFor(known, has)
    const wanted = answers.meet(key) || has !== undefined

    function keep(reply: Reply): Reply {
      if (!wanted || reply.status !== 200 || typeof reply.body !== 'string') return reply
      const kept = keptAnswer(reply, reply.body, version ?? 0)
      answers.set(key, kept, (kept.reply.body?.length ?? 0) + 2 * key.length + OVERHEAD)
      return replyFor(kept, has)
    }
    const reply = read()
    return reply instanceof Promise ? reply.then(keep) : keep(reply)
  }
}

/**
 * The tag is the hash of the body, not the version, which would show that something changed that the caller may not
 * see.
 */
function keptAnswer({ status, headers, contentType }: Reply, text: string, version: number): Kept {
  const body = Buffer.from(text)
  const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
  return { version, tag, reply: { status, headers: { ...headers, etag: tag }, body, contentType } }
}

function replyFor({ tag, reply }: Kept, has: string | undefined): Reply {
  return has !== undefined && hasTag(has, tag) ? { status: 304, headers: { etag: tag } } : reply
}

/** Whether the list of tags names this one; they are compared weakly, as RFC 9110 13.1.2 asks. */
function hasTag(list: string, tag: string): boolean {
  return list.split(',').some((one) => {
    const name = one.trim().replace(/^W\//, '')
    return name === tag || name === '*'
  })
}
