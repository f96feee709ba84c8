// `POST /api/email`: sends a mail that the caller wrote, for callers with the permission.

import { parseBody } from '../../http/body/parse-body.ts'
import { jsonReply } from '../../http/reply.ts'
import { ApiError, createValidationErrors, type ErrorItem } from '../../lib/errors/api-error.ts'
import { assertHeaders, MAIL_HEADERS, type Mail, type Mailer } from '../mailer.ts'
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

const NEEDED: readonly string[] = ['to', 'subject', 'text']

function readMail(value: unknown): Mail {
  if (typeof value !== 'object' || value === null) throw new ApiError('ValidationError', 'A mail is expected')
  const faults: ErrorItem[] = []
  const given = new Map<string, unknown>(Object.entries(value))
  const texts = new Map<string, string>()
  for (const name of [...MAIL_HEADERS, 'text', 'html']) {
    const text = given.get(name)
    const fault = buildFault(name, text)
    if (fault !== undefined) faults.push({ path: [name], message: fault, name: 'ValidationError' })
    else if (typeof text === 'string') texts.set(name, text)
  }
  if (faults.length > 0) throw createValidationErrors(faults)
  const optional = ['from', 'replyTo', 'html'].flatMap((name) => {
    const text = texts.get(name)
    return text === undefined ? [] : [[name, text] as const]
  })
  const mail = {
    to: texts.get('to') ?? '',
    subject: texts.get('subject') ?? '',
    text: texts.get('text') ?? '',
    ...Object.fromEntries(optional),
  }
  assertHeaders(mail)
  return mail
}

function buildFault(name: string, value: unknown): string | undefined {
  if (value === undefined) return NEEDED.includes(name) ? `${name} is a required field` : undefined
  return typeof value === 'string' ? undefined : `${name} must be text`
}
