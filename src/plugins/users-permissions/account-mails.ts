// Sends the mails about accounts. URLs come from the configuration, never from request headers; users' values
// are inserted as text, never as markup.

import { escapeHtml } from '../../lib/escape-html.ts'
import type { Mail, Mailer } from '../mailer.ts'
import type { PluginLog } from '../plugin.ts'

export interface AccountMails {
  /** Both return at once: the sending time must not reveal whether the user exists. */
  sendReset(to: { readonly email: string }, code: string): void
  sendConfirmation(to: { readonly email: string }, code: string): void
}

interface AccountMailOptions {
  readonly mailer: Mailer
  readonly resetPage: string
  readonly confirmationUrl: string
  readonly log: PluginLog
}

export function createAccountMails(options: AccountMailOptions): AccountMails {
  const { mailer, resetPage, confirmationUrl, log } = options
  const send = (mail: Mail): void => {
    mailer.send(mail).catch((reason: unknown) => {
      log.warn(
        `a mail "${mail.subject}" was not sent: ${reason instanceof Error ? reason.message : 'unknown'}`,
      )
    })
  }
  return {
    sendReset({ email }, code) {
      const link = withParameter(resetPage, 'code', code)
      send(
        letter(email, 'Reset password', [
          'Somebody asked to reset the password of your account.',
          'If it was you, choose a new one here:',
          link,
          'If it was not, nothing has changed: you can ignore this mail. The link works once, within an hour.',
        ]),
      )
    },
    sendConfirmation({ email }, code) {
      const link = withParameter(confirmationUrl, 'confirmation', code)
      send(
        letter(email, 'Account confirmation', [
          'Thank you for registering.',
          'Please confirm your address by opening this link:',
          link,
        ]),
      )
    },
  }
}

function letter(to: string, subject: string, lines: readonly string[]): Mail {
  const html = lines.map((line) => `<p>${linked(escapeHtml(line))}</p>`).join('\n')
  return { to, subject, text: lines.join('\n\n'), html }
}

function withParameter(url: string, name: string, value: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}${name}=${value}`
}

function linked(text: string): string {
  return /^(?:https?:\/\/|\/)\S+$/.test(text) ? `<a href="${text}">${text}</a>` : text
}
