// Answers a read: with a kept answer, which takes neither a plan nor a read, or with a new one, kept if it is asked for
// again (decision 0200).

import type { Permissions } from '../auth/principal.ts'
import { type Asked, type KeptAnswers, ReadFrom, type Version } from '../http/kept-answers.ts'
import { isPromise, type Reply } from '../http/reply.ts'
import type { HttpRequest } from '../http/request.ts'
import { isCustomized } from './own-parts.ts'

/** A planned read. */
export interface PlannedAnswer {
  readonly version: Version
  read(): Reply | Promise<Reply>
}

export function answerRead(
  answers: KeptAnswers,
  request: HttpRequest,
  permissions: Permissions,
  plan: () => PlannedAnswer,
): Reply | Promise<Reply> {
  // Users' middlewares read and change the answer itself.
  if (isCustomized(request)) return plan().read()
  const asked: Asked = { request, caller: permissions, question: request.query }
  const known = answers.find(asked)
  if (known !== undefined) return known
  const { version, read } = plan()
  if (!answers.wants(asked)) return read()
  const readFrom = new ReadFrom()
  readFrom.add(version)
  const reply = read()
  if (isPromise(reply)) return reply.then((later) => answers.keep(asked, later, readFrom))
  return answers.keep(asked, reply, readFrom)
}
