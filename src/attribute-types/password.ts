// A password: written and compared, never read. What is stored is its hash.

import type { AttributeType } from './attribute-type.ts'
import { checkText, textConfig, wantedText } from './text.ts'

export const password: AttributeType = {
  config: textConfig,
  example: undefined,
  wanted: wantedText,
  bound: undefined,
  // A hash is never equal to another.
  unique: 'never',
  secret: true,
  slug: false,
  sluggable: false,
  check: checkText,
  cast: String,
  yupType: 'string',
  search: 'never',
  column: 'text',
  decode: () => undefined,
  toJson: () => 'null',
  graphql: 'String',
  jsonSchema: { type: 'string' },
  typeScript: { answered: 'string', taken: 'string' },
}
