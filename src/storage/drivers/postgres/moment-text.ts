// Converts moments (epoch milliseconds) and days (`yyyy-MM-dd`) to and from PostgreSQL's form, with BC before
// the year 1.

/** `2024-03-01 10:00:00.123+00`, followed by ` BC` for years before the year 1. */
const MOMENT =
  /^(\d{4,6})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?([+-])(\d\d)(?::?(\d\d))?(?::?(\d\d))?( BC)?$/

export function parseMoment(text: string): number {
  const match = MOMENT.exec(text)
  if (match === null) return Number.NaN
  const [, year = '', month = '', day = '', hours = '', minutes = '', seconds = '', fraction = ''] = match
  const [sign, zoneHours = '', zoneMinutes = '0', zoneSeconds = '0', before] = match.slice(8)
  const astronomical = before === undefined ? Number(year) : 1 - Number(year)
  const milliseconds = fraction === '' ? 0 : Number(fraction.slice(0, 3).padEnd(3, '0'))
  const moment = utc(astronomical, Number(month) - 1, Number(day))
  const clock = Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1000 + milliseconds
  const offset = Number(zoneHours) * 3_600_000 + Number(zoneMinutes) * 60_000 + Number(zoneSeconds) * 1000
  return moment + clock - (sign === '-' ? -offset : offset)
}

/** `Date.UTC` maps the years 0 to 99 to 1900 to 1999. */
function utc(year: number, month: number, day: number): number {
  if (year > 99) return Date.UTC(year, month, day)
  const date = new Date(0)
  date.setUTCFullYear(year, month, day)
  return date.getTime()
}

export function formatMoment(moment: number): string {
  const iso = new Date(moment).toISOString()
  // Years of four digits already have PostgreSQL's form, except the year 0.
  if (iso.length === 24) return iso.startsWith('0000') ? `0001${iso.slice(4)} BC` : iso
  const year = Number(iso.slice(1, 7))
  return iso[0] === '-' ? `${padded(year + 1)}${iso.slice(7)} BC` : `${year}${iso.slice(7)}`
}

function padded(year: number): string {
  return String(year).padStart(4, '0')
}

/** The year 0 of ISO 8601 is 1 BC. */
export function parseDay(text: string): string {
  if (!text.endsWith(' BC')) return text
  const [year = '', month = '', day = ''] = text.slice(0, -3).split('-')
  return `${String(1 - Number(year)).padStart(4, '0')}-${month}-${day}`
}

export function formatDay(day: string): string {
  return day.startsWith('0000-') ? `0001${day.slice(4)} BC` : day
}
