// `graphql: true` at the top of the file. A map there is the section that changes what GraphQL serves.

import type { Expansion } from '../../config/shorthand/expansion.ts'
import { liftInto } from '../../config/shorthand/lift.ts'

export function expandSwitch(expansion: Expansion): void {
  if (typeof expansion.at(['graphql']) === 'boolean') liftInto(expansion, 'graphql', ['plugins', 'graphql'])
}
