// The `smtp` provider: mails leave by a mail server, through nodemailer, which is loaded at the first of them.

import { assertHeaders, type Mailer } from '../mailer.ts'
import type { EmailOptions } from './options.ts'

export interface SmtpMailer extends Mailer {
  close(): void
}

/** Milliseconds without an answer after which a server is given up. */
const PATIENCE = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 } as const

export function createSmtpMailer({ defaultFrom, defaultReplyTo, providerOptions }: EmailOptions): SmtpMailer {
  let opening: ReturnType<typeof openTransport> | undefined

  async function openTransport() {
    const { createTransport } = await import('nodemailer')
    // Texts only: a mail can name neither a file nor an address to fetch (what the body of a request could ask for).
    return createTransport({
      ...PATIENCE,
      ...providerOptions,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }

  return {
    async send(mail) {
      assertHeaders(mail)
      opening ??= openTransport()
      const transport = await opening
      await transport.sendMail({
        from: defaultFrom,
        ...(defaultReplyTo === undefined ? {} : { replyTo: defaultReplyTo }),
        ...mail,
      })
    },
    close() {
      void opening?.then((transport) => transport.close())
    },
  }
}
