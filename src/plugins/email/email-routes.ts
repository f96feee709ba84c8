// `POST /api/email`: sends a mail that the caller wrote, for callers with the permission.

import { parseBody } from '../../http/body/parse-body.ts'
import { jsonReply } from '../../http/reply.ts'
import { type Mailer, readMail } from '../mailer.ts'
import type { PluginOperation } from '../plugin-operation.ts'

export function createEmailRoutes(mailer: Mailer): readonly PluginOperation[] {
  return [
    {
      method: 'POST',
      path: '/email',
      action: 'email.send',
      async handle(request) {
        const body = await parseBody(request)
        await mailer.send(readMail(body.kind === 'value' ? body.value : undefined))
        return jsonReply(200, '{}')
      },
    },
  ]
}
