// Defines the contract for sending mail: the email plugin provides the mailer, plugins that write to users
// use it.

import { ApiError, createValidationErrors, type ErrorItem } from '../lib/errors/api-error.ts'
import { isPrintable } from '../lib/is-email.ts'

export interface Mail {
  readonly to: string
  /** Defaults to the plugin's sender. */
  readonly from?: string
  readonly replyTo?: string
  readonly subject: string
  readonly text: string
  readonly html?: string
}

/** Throws ValidationError for a header of several lines: the other lines would become headers. */
export function assertHeaders(mail: Mail): void {
  const faults = MAIL_HEADERS.filter((name) => !isPrintable(mail[name] ?? ''))
  if (faults.length === 0) return
  throw createValidationErrors(
    faults.map((name) => ({ path: [name], message: `${name} must be one line`, name: 'ValidationError' })),
  )
}

export const MAIL_HEADERS = ['to', 'from', 'replyTo', 'subject'] as const

export interface Mailer {
  /** Resolves when the mail is handed over for delivery. */
  send(mail: Mail): Promise<void>
}

export interface OutboxMail extends Mail {
  readonly from: string
  readonly sentAt: string
}

export interface Outbox {
  /** Newest last; bounded. */
  readonly mails: readonly OutboxMail[]
  keep(mail: OutboxMail): void
  /** `mails` stays the same array. */
  restore(mails: readonly OutboxMail[]): void
}

const MAX_MAILS = 100

export function createOutbox(): Outbox {
  const mails: OutboxMail[] = []
  return {
    mails,
    keep(mail) {
      mails.push(mail)
      if (mails.length > MAX_MAILS) mails.shift()
    },
    restore: (kept) => void mails.splice(0, mails.length, ...kept),
  }
}

/** Used if no plugin provides a mailer: sends nothing and logs a warning. */
export function createNoMailer(log: { warn(message: string): void }): Mailer {
  return {
    async send() {
      log.warn('a mail was not sent: the email plugin is switched off')
    },
  }
}

const NEEDED: readonly string[] = ['to', 'subject', 'text']

/** Throws ValidationError for anything but a mail. */
export function readMail(value: unknown): Mail {
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
