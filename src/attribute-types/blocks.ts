// Rich text as nodes of Strapi's editor: JSON whose structure is checked.

import type { AttributeType } from './attribute-type.ts'
import { checkBlocks } from './check-blocks.ts'
import { bad, describeWrongType } from './faults.ts'
import { json } from './json.ts'

export const blocks: AttributeType = {
  ...json,
  wanted: (value) => (Array.isArray(value) ? undefined : 'a list of blocks'),
  check(constraints, label, value, draft, mostFaults, documents) {
    if (!Array.isArray(value)) return bad(describeWrongType(label, 'array', value))
    const { faults, more } = checkBlocks(label, value, mostFaults, documents)
    return faults.length > 0
      ? { value: null, faults, moreFaults: more }
      : json.check(constraints, label, value, draft, mostFaults)
  },
}
