// The upload plugin: what it adds to the model.

import type { Plugin } from '../plugin.ts'
import { uploadContribution } from './content-types.ts'

export const uploadPlugin: Plugin = {
  name: 'upload',
  enable: () => ({ contribution: uploadContribution }),
}
