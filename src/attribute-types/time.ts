// A time of day, to the millisecond.

import { formatDateTime } from '../lib/format-date-time.ts'
import { parseTime } from '../lib/iso-date.ts'
import type { AttributeType } from './attribute-type.ts'
import { castDate, checkDate, date } from './date.ts'

export const time: AttributeType = {
  ...date,
  atMoment: (moment) => formatDateTime(moment).slice(-'HH:mm:ss.SSSZ'.length, -1),
  wanted: (value) =>
    typeof value === 'string' && 'value' in parseTime(value) ? undefined : 'a time such as 18:30:00',
  check: (_constraints, _label, value) =>
    checkDate(
      typeof value === 'string' ? parseTime(value) : { fault: `Expected a string, got a ${typeof value}` },
    ),
  cast: (value) => castDate(parseTime(String(value))),
  inExpressions: 'time',
  column: 'time',
  graphql: 'Time',
  jsonSchema: { type: 'string', pattern: '^\\d{2}:\\d{2}:\\d{2}\\.\\d{3}$' },
}
