// Keeps finished answers to reads, each until something that it was read from has changed (decision 0200), and lets
// clients ask whether theirs is still right (RFC 9110, 13.1.2).

import { randomBytes } from 'node:crypto'
import type { Permissions } from '../auth/principal.ts'
import { JSON_TYPE, type Reply } from '../http/reply.ts'
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
  readonly reply: Reply
}

/** Bytes of a kept answer beside its body. */
const OVERHEAD = 500

/** `budget`: bytes for all kept answers; 0 keeps none, and clients can still ask for changes. */
export function createAnswerMemory(budget: number): KeepAnswers {
  const kept = budget > 0 ? new BoundedCache<Kept>({ budget }) : undefined
  // Versions begin at 0 again with each start.
  const start = randomBytes(6).toString('base64url')

  return ({ request, permissions, version }, read) => {
    // Middlewares read and change the answer itself.
    if (version === undefined || isCustomized(request)) return read()
    const caller = objectId(permissions)
    const tag = `"${start}-${caller}-${version}"`
    const asked = request.header('if-none-match')
    if (asked !== undefined && hasTag(asked, tag)) return { status: 304, headers: { etag: tag } }
    if (kept === undefined) return tagged(read(), tag)
    const key = `${caller} ${request.path}?${request.query}`
    const known = kept.get(key)
    if (known !== undefined && known.version === version) return known.reply
    const keep = (reply: Reply): Reply => {
      if (reply.status !== 200 || typeof reply.body !== 'string') return reply
      const answer = withTag(reply, tag)
      if (known === undefined && !kept.meet(key)) return answer
      const body = Buffer.from(reply.body)
      kept.set(key, { version, reply: { ...answer, body } }, body.length + 2 * key.length + OVERHEAD)
      return answer
    }
    const reply = read()
    return reply instanceof Promise ? reply.then(keep) : keep(reply)
  }
}

function tagged(reply: Reply | Promise<Reply>, tag: string): Reply | Promise<Reply> {
  return reply instanceof Promise ? reply.then((later) => withTag(later, tag)) : withTag(reply, tag)
}

function withTag(reply: Reply, tag: string): Reply {
  if (reply.status !== 200) return reply
  return {
    status: 200,
    headers: { ...reply.headers, etag: tag },
    body: reply.body,
    contentType: reply.contentType ?? JSON_TYPE,
    common: reply.common,
  }
}

/** Whether the list of tags names this one; they are compared weakly, as RFC 9110 13.1.2 asks. */
function hasTag(list: string, tag: string): boolean {
  if (list === tag) return true
  return list.split(',').some((one) => one.trim().replace(/^W\//, '') === tag)
}
