// The service of Strapi's email plugin for users' code: `strapi.plugin('email').service('email').send({ to, subject, html })`.

import { escapeHtml } from '../lib/escape-html.ts'
import { buildRecord, isRecord } from '../lib/is-record.ts'
import { type Mailer, readMail } from '../plugins/mailer.ts'

export interface StrapiEmail {
  send(mail: unknown): Promise<void>
  /** `subject`, `text` and `html` of the template have `<%= user.name %>` for values of `data`. */
  sendTemplatedEmail(mail: unknown, template: unknown, data?: unknown): Promise<void>
}

const KEYS = ['to', 'from', 'replyTo', 'subject', 'text', 'html']

export function createStrapiEmail(getMailer: () => Mailer | undefined): StrapiEmail {
  const send = async (mail: unknown): Promise<void> => {
    const mailer = getMailer()
    if (mailer === undefined)
      throw new Error('no mails are sent: write "plugins: { email: true }" (docs/reference/accounts.md)')
    await mailer.send(readMail(isRecord(mail) ? complete(mail) : mail))
  }
  return {
    send,
    async sendTemplatedEmail(mail, template, data) {
      const filled = Object.entries(buildRecord(template)).flatMap(([name, text]) =>
        typeof text === 'string' && TEMPLATE_KEYS.includes(name) ? [[name, fill(text, data)] as const] : [],
      )
      await send({ ...buildRecord(mail), ...Object.fromEntries(filled) })
    },
  }
}

const TEMPLATE_KEYS = ['subject', 'text', 'html']

/** Only values by path: an expression would run as code. */
function fill(template: string, data: unknown): string {
  return template.replace(/<%([=-]?)([^%]*)%>/g, (_, sign: string, inside: string) => {
    const path = inside.trim()
    if (sign === '' || !/^[\w$]+(?:\.[\w$]+)*$/.test(path))
      throw new TypeError(
        `a template of a mail takes "<%= name %>" and "<%- user.name %>", not "<%${sign}${inside}%>"`,
      )
    const value = path.split('.').reduce<unknown>((found, name) => buildRecord(found)[name], data)
    const text = String(value ?? '')
    return sign === '-' ? escapeHtml(text) : text
  })
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
