// Answers a read: with a kept answer, which takes neither a plan nor a read, or with a new one, kept if it is asked for
// again (decision 0200).

import type { Permissions } from '../auth/principal.ts'
import { type Asked, type KeptAnswers, ReadFrom, type Version } from '../http/kept-answers.ts'
import { isPromise, type Reply } from '../http/reply.ts'
import type { HttpRequest } from '../http/request.ts'
import type { ContentType } from '../model/content-type.ts'
import { type CacheHeaders, cacheControlOf } from './cache-control.ts'
import { isCustomized } from './own-parts.ts'

/** A planned read. */
export interface PlannedAnswer {
  readonly version: Version
  read(): Reply | Promise<Reply>
}

export interface AnswerRead {
  (request: HttpRequest, permissions: Permissions, plan: () => PlannedAnswer): Reply | Promise<Reply>
  /** Answers without a look at what is kept. */
  anew(request: HttpRequest, plan: () => PlannedAnswer): Reply | Promise<Reply>
}

export function createAnswerRead(type: ContentType, answers: KeptAnswers): AnswerRead {
  const cacheControl = cacheControlOf(type)

  function read(request: HttpRequest, planned: PlannedAnswer): Reply | Promise<Reply> {
    const reply = planned.read()
    if (cacheControl === undefined) return reply
    const headers = cacheControl.of(request)
    return isPromise(reply) ? reply.then((later) => withHeaders(later, headers)) : withHeaders(reply, headers)
  }

  const answerRead = (
    request: HttpRequest,
    permissions: Permissions,
    plan: () => PlannedAnswer,
  ): Reply | Promise<Reply> => {
    // Users' middlewares read and change the answer itself; what belongs to one request is not asked for again.
    if (isCustomized(request) || !permissions.isShared) return read(request, plan())
    const question = cacheControl === undefined ? request.query : request.query + cacheControl.mark(request)
    const asked: Asked = { request, caller: permissions, question }
    const known = answers.find(asked)
    if (known !== undefined) return known
    const planned = plan()
    if (!answers.wants(asked)) return read(request, planned)
    const readFrom = new ReadFrom()
    readFrom.add(planned.version)
    const reply = read(request, planned)
    if (isPromise(reply)) return reply.then((later) => answers.keep(asked, later, readFrom))
    return answers.keep(asked, reply, readFrom)
  }
  return Object.assign(answerRead, {
    anew: (request: HttpRequest, plan: () => PlannedAnswer) => read(request, plan()),
  })
}

function withHeaders(reply: Reply, headers: CacheHeaders): Reply {
  return { ...reply, headers }
}
