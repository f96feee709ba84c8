// Sends mails through a mail server with nodemailer, which is loaded for the first mail.

import { assertHeaders, type Mailer } from '../mailer.ts'
import type { EmailOptions } from './options.ts'

interface SmtpMailer extends Mailer {
  close(): void
}

const TIMEOUTS_MS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 } as const

export function createSmtpMailer({ defaultFrom, defaultReplyTo, providerOptions }: EmailOptions): SmtpMailer {
  let opening: ReturnType<typeof openTransport> | undefined

  async function openTransport() {
    const { createTransport } = await import('nodemailer')
    // Texts only: a mail must not name a file or a URL to fetch, since a request's body could contain such
    // names.
    return createTransport({
      ...TIMEOUTS_MS,
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
