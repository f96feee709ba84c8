// Formats epoch milliseconds as `yyyy-MM-ddTHH:mm:ss.SSSZ`, with days cached, in a quarter of the time of
// `Date.toISOString`.

const DAY_MS = 86_400_000
const MAX_CACHED_DAYS = 2000
const days = new Map<number, string>()

const pairs = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'))
const triples = Array.from({ length: 1000 }, (_, value) => String(value).padStart(3, '0'))

/** Unchanged entries, and entries stored together, repeat one moment. */
let last = Number.NaN
let lastText = ''

/** The moment must be within the range of Date. */
export function formatDateTime(moment: number): string {
  if (moment === last) return lastText
  lastText = format(moment)
  last = moment
  return lastText
}

function format(moment: number): string {
  const day = Math.floor(moment / DAY_MS)
  const within = moment - day * DAY_MS
  const seconds = Math.floor(within / 1000)
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  return `${getDay(day)}${pairs[hours]}:${pairs[minutes - hours * 60]}:${pairs[seconds - minutes * 60]}.${triples[within - seconds * 1000]}Z`
}

/** `yyyy-MM-ddT`, also for years that need a sign and six digits. */
function getDay(day: number): string {
  let text = days.get(day)
  if (text === undefined) {
    text = new Date(day * DAY_MS).toISOString().slice(0, -13)
    if (days.size >= MAX_CACHED_DAYS) days.clear()
    days.set(day, text)
  }
  return text
}
