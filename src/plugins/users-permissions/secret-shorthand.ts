// `jwtSecret` at the top of the file.

import type { Expansion } from '../../config/shorthand/expansion.ts'
import { liftIntoPlugin } from '../../config/shorthand/lift.ts'

export function expandSecret(expansion: Expansion): void {
  liftIntoPlugin(expansion, 'jwtSecret', 'users-permissions', ['config', 'jwtSecret'])
}
