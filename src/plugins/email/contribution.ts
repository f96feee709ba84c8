// What the email plugin adds to the model: the action that sends a mail (BEHAVIOUR 1.12).

import type { ModelContribution } from '../../model/contribution.ts'

export const emailContribution: ModelContribution = {
  plugin: 'email',
  contentTypes: {},
  actions: ['plugin::email.email.send'],
}
