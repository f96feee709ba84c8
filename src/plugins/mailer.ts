// The socket for sending mail: offered by the email plugin, used by those that write to users.

import { validationErrors } from '../errors/api-error.ts'
import { isPrintable } from '../util/is-email.ts'

export interface Mail {
  readonly to: string
  /** The plugin's default sender when undefined. */
  readonly from?: string
  readonly replyTo?: string
  readonly subject: string
  readonly text: string
  readonly html?: string
}

/** Throws ValidationError where a header of the mail is more than one line: the rest would be headers of their own. */
export function assertHeaders(mail: Mail): void {
  const faults = MAIL_HEADERS.filter((name) => !isPrintable(mail[name] ?? ''))
  if (faults.length === 0) return
  throw validationErrors(
    faults.map((name) => ({ path: [name], message: `${name} must be one line`, name: 'ValidationError' })),
  )
}

export const MAIL_HEADERS = ['to', 'from', 'replyTo', 'subject'] as const

export interface Mailer {
  /** Resolves when the mail is on its way. */
  send(mail: Mail): Promise<void>
}

/** A mail that was not sent but kept, where a person or a test can read it. */
export interface KeptMail extends Mail {
  readonly from: string
  readonly sentAt: string
}

export interface Outbox {
  /** The newest last; only so many are kept. */
  readonly mails: readonly KeptMail[]
  keep(mail: KeptMail): void
}

const KEPT_MAILS = 100

export function createOutbox(): Outbox {
  const mails: KeptMail[] = []
  return {
    mails,
    keep(mail) {
      mails.push(mail)
      if (mails.length > KEPT_MAILS) mails.shift()
    },
  }
}

/** Where nobody provides a mailer, mail goes nowhere and says so. */
export function noMailer(log: { warn(message: string): void }): Mailer {
  return {
    async send() {
      log.warn('a mail was not sent: the email plugin is switched off')
    },
  }
}
