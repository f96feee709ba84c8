// A password: written and compared, never read. Only its hash is stored.

import type { AttributeType } from './attribute-type.ts'
import { string } from './string.ts'

export const password: AttributeType = {
  ...string,
  // Two hashes of the same password are different.
  unique: 'never',
  secret: true,
  sluggable: false,
  search: 'never',
  decode: () => undefined,
  toJson: () => 'null',
}
