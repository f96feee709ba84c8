// A time of day, to the millisecond.

import { parseTime } from '../util/iso-date.ts'
import type { AttributeType } from './attribute-type.ts'
import { castDate, checkedDate, dateConfig } from './date.ts'

export const time: AttributeType = {
  config: dateConfig,
  example: undefined,
  wanted: (value) =>
    typeof value === 'string' && 'value' in parseTime(value) ? undefined : 'a time such as 18:30:00',
  bound: undefined,
  unique: 'possible',
  secret: false,
  slug: false,
  sluggable: false,
  check: (_constraints, _label, value) =>
    checkedDate(
      typeof value === 'string' ? parseTime(value) : { fault: `Expected a string, got a ${typeof value}` },
    ),
  cast: (value) => castDate(parseTime(String(value))),
  yupType: 'mixed',
  search: 'never',
  column: 'time',
  decode: (stored) => stored,
  toJson: (stored) => `"${stored}"`,
  graphql: 'Time',
  jsonSchema: { type: 'string', pattern: '^\\d{2}:\\d{2}:\\d{2}\\.\\d{3}$' },
  typeScript: { answered: 'string', taken: 'string' },
}
