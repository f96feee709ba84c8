// A password: written and compared, never read. What is stored is its hash.

import type { AttributeType } from './attribute-type.ts'
import { string } from './string.ts'

export const password: AttributeType = {
  ...string,
  // A hash is never equal to another.
  unique: 'never',
  secret: true,
  sluggable: false,
  search: 'never',
  decode: () => undefined,
  toJson: () => 'null',
}
