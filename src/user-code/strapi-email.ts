// The service of Strapi's email plugin for users' code: `strapi.plugin('email').service('email').send({ to, subject, html })`.

import { isRecord } from '../lib/is-record.ts'
import { type Mailer, readMail } from '../plugins/mailer.ts'

export interface StrapiEmail {
  send(mail: unknown): Promise<void>
}

const KEYS = ['to', 'from', 'replyTo', 'subject', 'text', 'html']

export function createStrapiEmail(getMailer: () => Mailer | undefined): StrapiEmail {
  return {
    async send(mail) {
      const mailer = getMailer()
      if (mailer === undefined)
        throw new Error('no mails are sent: write "plugins: { email: true }" (docs/reference/accounts.md)')
      await mailer.send(readMail(isRecord(mail) ? complete(mail) : mail))
    },
  }
}

/** Strapi leaves the text of a mail out that has HTML. */
function complete(mail: Readonly<Record<string, unknown>>): unknown {
  const given = Object.entries(mail).filter(([, value]) => value !== undefined && value !== null)
  const other = given.find(([key]) => !KEYS.includes(key))
  if (other !== undefined)
    throw new TypeError(`a mail takes no "${other[0]}" here; it takes ${KEYS.join(', ')}`)
  const { text, html } = mail
  const plain = text ?? (typeof html === 'string' ? html.replace(/<[^>]*>/g, '').trim() : undefined)
  return { ...Object.fromEntries(given), text: plain }
}
