// The `log` provider: keeps mails in the outbox and logs them instead of sending them.

import { assertHeaders, type Mailer, type Outbox } from '../mailer.ts'
import type { PluginLog } from '../plugin.ts'
import type { EmailOptions } from './options.ts'

interface LogMailerOptions {
  readonly outbox: Outbox
  /** Whether the text is logged: it may contain login links. */
  readonly shown: boolean
  readonly log: PluginLog
  now(): number
}

export function createLogMailer(
  options: EmailOptions,
  { outbox, shown, log, now }: LogMailerOptions,
): Mailer {
  const { defaultFrom, defaultReplyTo } = options
  return {
    async send(mail) {
      assertHeaders(mail)
      const kept = {
        ...(defaultReplyTo === undefined ? {} : { replyTo: defaultReplyTo }),
        from: defaultFrom,
        ...mail,
        sentAt: new Date(now()).toISOString(),
      }
      outbox.keep(kept)
      if (shown) log.info(`mail to ${mail.to}, not sent: ${mail.subject}\n${mail.text}`)
    },
  }
}
