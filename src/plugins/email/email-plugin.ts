// The email plugin: sends the mails of other plugins, and those of `POST /api/email`.

import type { Plugin } from '../plugin.ts'
import { emailContribution } from './contribution.ts'
import { emailRoutes } from './email-routes.ts'
import { createLogMailer } from './log-mailer.ts'
import { parseOptions } from './options.ts'
import { createSmtpMailer } from './smtp-mailer.ts'

export const emailPlugin: Plugin = {
  name: 'email',
  enable(settings) {
    const options = parseOptions(settings)
    const production = settings.whole.server.environment === 'production'
    return {
      contribution: emailContribution,
      activate(context) {
        if (options.provider === 'smtp') {
          const mailer = createSmtpMailer(options)
          return { mailer, routes: emailRoutes(context, mailer), dispose: () => mailer.close() }
        }
        const mailer = createLogMailer(options, { ...context, shown: !production })
        return { mailer, routes: emailRoutes(context, mailer) }
      },
    }
  },
}
