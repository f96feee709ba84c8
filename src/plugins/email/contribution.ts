// What the email plugin adds to the model: the action that sends a mail.

import type { ModelContribution } from '../../model/contribution.ts'

export const emailContribution: ModelContribution = {
  plugin: 'email',
  paths: ['email'],
  contentTypes: {},
  actions: ['plugin::email.email.send'],
}
