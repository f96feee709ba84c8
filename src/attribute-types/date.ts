// A calendar day; the record that the other types of dates and times extend.

import { ApiError } from '../lib/errors/api-error.ts'
import { formatDateTime } from '../lib/format-date-time.ts'
import { type ParsedDate, parseDate } from '../lib/iso-date.ts'
import type { AttributeType, CheckResult, ScalarValue } from './attribute-type.ts'
import { defaultText } from './config-keys.ts'
import { good } from './faults.ts'

const DAY_LENGTH = 'yyyy-MM-dd'.length

export const date: AttributeType = {
  config: {
    definition: 'dateAttribute',
    description: 'A day, a time of day, or a moment.',
    typeDescription: '`date` is yyyy-MM-dd, `time` HH:mm:ss.SSS, `datetime` and `timestamp` a moment.',
    required: [],
    keys: {
      default: {
        description: `${defaultText} \`now\` is the moment at which the entry is created, in UTC.`,
        type: 'string',
        examples: ['now', '2024-01-31', '10:30:00.000'],
      },
    },
  },
  example: undefined,
  wanted: (value) =>
    typeof value === 'string' && 'value' in parseDate(value) ? undefined : 'a date such as 2024-03-01',
  bound: undefined,
  unique: 'possible',
  secret: false,
  slug: false,
  sluggable: false,
  atMoment: (moment) => formatDateTime(moment).slice(0, DAY_LENGTH),
  // A JSON object may have a `toString` that is not a function.
  checkVersion: undefined,
  check: (_constraints, _label, value) =>
    checkDate(parseDate(typeof value === 'object' ? '' : String(value))),
  cast: (value) => castDate(parseDate(String(value))),
  yupType: 'mixed',
  search: 'never',
  inExpressions: 'date',
  column: 'date',
  decode: (stored) => stored,
  toJson: (stored) => `"${stored}"`,
  graphql: 'Date',
  jsonSchema: { type: 'string', format: 'date' },
  typeScript: { answered: 'string', taken: 'string' },
}

export function checkDate(parsed: ParsedDate<string | number>): CheckResult {
  return 'fault' in parsed ? { value: null, faults: [], dateFault: parsed.fault } : good(parsed.value)
}

export function castDate(parsed: ParsedDate<string | number>): ScalarValue {
  if ('fault' in parsed) throw new ApiError('ValidationError', parsed.fault)
  return parsed.value
}
