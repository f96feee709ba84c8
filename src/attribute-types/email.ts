// An email address.

import { isEmail } from '../lib/is-email.ts'
import type { AttributeType } from './attribute-type.ts'
import { bad, describeWrongType } from './faults.ts'
import { string } from './string.ts'

export const email: AttributeType = {
  ...string,
  wanted: (value) => (typeof value === 'string' && isEmail(value) ? undefined : 'an email address'),
  check(constraints, label, value, draft, mostFaults) {
    if (typeof value !== 'string') return bad(describeWrongType(label, 'string', value))
    if (value === '') return bad(`${label} cannot be empty`)
    if (!isEmail(value)) return bad(`${label} must be a valid email`)
    return string.check(constraints, label, value, draft, mostFaults)
  },
  jsonSchema: { type: 'string', format: 'email' },
}
