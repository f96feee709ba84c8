// A moment in milliseconds, stored as epoch milliseconds and sent in UTC; for datetime and timestamp.

import { formatDateTime } from '../lib/format-date-time.ts'
import { parseDateTime } from '../lib/iso-date.ts'
import type { AttributeType } from './attribute-type.ts'
import { castDate, checkDate, date } from './date.ts'

export const datetime: AttributeType = {
  ...date,
  atMoment: formatDateTime,
  wanted: (value) =>
    'value' in parseDateTime(value) ? undefined : 'a date and time such as 2024-03-01T18:30:00Z',
  check: (_constraints, _label, value) => checkDate(parseDateTime(value)),
  cast: (value) => castDate(parseDateTime(value)),
  inExpressions: 'moment',
  column: 'datetime',
  decode: (stored) => formatDateTime(Number(stored)),
  toJson: (stored) => `"${formatDateTime(Number(stored))}"`,
  graphql: 'DateTime',
  jsonSchema: { type: 'string', format: 'date-time' },
}

export const timestamp: AttributeType = datetime
