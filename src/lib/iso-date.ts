// Parses dates, times and date-times strictly (ISO 8601, RFC 3339), with Strapi's error messages.

export type ParsedDate<T> = { readonly value: T } | { readonly fault: string }

const DATE = /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?:[T ].*)?$/
const TIME = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,3}))?$/
const MOMENT =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|z|[+-]\d{2}(?::?\d{2})?)?)?$/

const MAX_MOMENT_MS = 8.64e15

/** Drops the time part of a date-time. */
export function parseDate(text: string): ParsedDate<string> {
  const match = DATE.exec(text)
  if (match === null) return { fault: 'Invalid format, expected yyyy-MM-dd' }
  const [, year = '', month = '', day = ''] = match
  if (!dayExists(Number(year), Number(month), Number(day))) return { fault: 'Invalid date' }
  return { value: `${year}-${month}-${day}` }
}

/** The result has three digits of milliseconds. */
export function parseTime(text: string): ParsedDate<string> {
  const match = TIME.exec(text)
  if (match === null) return { fault: 'Invalid time format, expected HH:mm:ss.SSS' }
  const [, hours, minutes, seconds, fraction = ''] = match
  return { value: `${hours}:${minutes}:${seconds}.${fraction.padEnd(3, '0')}` }
}

/** Takes an ISO date or date-time (UTC without a zone) or epoch milliseconds; returns epoch milliseconds. */
export function parseDateTime(value: unknown): ParsedDate<number> {
  const fault = 'Invalid format, expected a timestamp or an ISO date'
  if (typeof value === 'number') return inRange(value) ? { value } : { fault }
  if (typeof value !== 'string') return { fault }
  const text = value.trim()
  if (/^-?\d{5,16}$/.test(text)) {
    const moment = Number(text)
    return inRange(moment) ? { value: moment } : { fault }
  }
  const match = MOMENT.exec(text)
  if (match === null) return { fault }
  const [, year, month, day, hours = '0', minutes = '0', seconds = '0', fraction = '', zone = 'Z'] = match
  if (!dayExists(Number(year), Number(month), Number(day))) return { fault }
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return { fault }
  const offset = zoneMinutes(zone)
  if (offset === undefined) return { fault }
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'))
  const moment = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hours),
    Number(minutes) - offset,
    Number(seconds),
    milliseconds,
  )
  // The years 0 to 99 are refused, because Date.UTC reads them as 1900 to 1999.
  return Number(year) < 100 ? { fault } : { value: moment }
}

function inRange(moment: number): boolean {
  return Number.isInteger(moment) && Math.abs(moment) <= MAX_MOMENT_MS
}

function dayExists(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days =
    month === 2 ? (leap ? 29 : 28) : month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
  return day <= days
}

function zoneMinutes(zone: string): number | undefined {
  if (zone === 'Z' || zone === 'z') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(3).replace(':', '') || '0')
  if (hours > 23 || minutes > 59) return undefined
  return (zone[0] === '-' ? -1 : 1) * (hours * 60 + minutes)
}
