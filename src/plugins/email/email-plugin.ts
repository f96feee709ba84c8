// The email plugin: sends mails of other plugins and of `POST /api/email`.

import type { ModelContribution } from '../../model/contribution.ts'
import type { Plugin } from '../plugin.ts'
import { MAILER, OUTBOX } from '../services.ts'
import { createEmailRoutes } from './email-routes.ts'
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
          const dispose = (): void => mailer.close()
          return { provides: [MAILER.provide(mailer)], routes: createEmailRoutes(mailer), dispose }
        }
        const { log, now } = context
        const mailer = createLogMailer(options, {
          outbox: context.need(OUTBOX),
          log,
          now,
          shown: !production,
        })
        return { provides: [MAILER.provide(mailer)], routes: createEmailRoutes(mailer) }
      },
    }
  },
}

const emailContribution: ModelContribution = {
  plugin: 'email',
  paths: ['email'],
  contentTypes: {},
  actions: ['plugin::email.email.send'],
}
