// The email plugin: what it adds to the model.

import type { Plugin } from '../plugin.ts'
import { emailContribution } from './contribution.ts'

export const emailPlugin: Plugin = {
  name: 'email',
  enable: () => ({ contribution: emailContribution }),
}
