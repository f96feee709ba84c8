// An email address.

import { isEmail } from '../util/is-email.ts'
import type { AttributeType } from './attribute-type.ts'
import { bad, wrongType } from './faults.ts'
import { asStored, checkText, textConfig, textJson } from './text.ts'

export const email: AttributeType = {
  config: textConfig,
  example: undefined,
  wanted: (value) => (typeof value === 'string' && isEmail(value) ? undefined : 'an email address'),
  bound: undefined,
  unique: 'possible',
  secret: false,
  slug: false,
  sluggable: true,
  check(constraints, label, value, draft) {
    if (typeof value !== 'string') return bad(wrongType(label, 'string', value))
    if (value === '') return bad(`${label} cannot be empty`)
    if (!isEmail(value)) return bad(`${label} must be a valid email`)
    return checkText(constraints, label, value, draft)
  },
  cast: String,
  yupType: 'string',
  search: 'text',
  column: 'text',
  decode: asStored,
  toJson: textJson,
  graphql: 'String',
  jsonSchema: { type: 'string', format: 'email' },
  typeScript: { answered: 'string', taken: 'string' },
}
