// Parses moments relative to a clock (`now-2h`, `today+7d 20:00`, `tomorrow`). Days are in UTC.

import { parseDuration } from './parse-units.ts'

const FORM =
  /^(now|today|tomorrow|yesterday)((?:\s*[+-]\s*\d{1,9}(?:\.\d{1,3})?\s*[a-z]{1,3})*)(?:\s+(\S+))?$/
const STEP = /([+-])\s*(\d+(?:\.\d+)?\s*[a-z]+)/g
const TIME = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/

const DAY_MS = 86_400_000
const MAX_MOMENT_MS = 8.64e15

/** `now` and the result in epoch milliseconds. */
export function parseRelativeMoment(text: string, now: number): number | undefined {
  const [, word, steps = '', time] = FORM.exec(text.trim()) ?? []
  if (word === undefined) return undefined
  let moment = word === 'now' ? now : Math.floor(now / DAY_MS) * DAY_MS
  if (word === 'tomorrow') moment += DAY_MS
  if (word === 'yesterday') moment -= DAY_MS
  for (const [, sign, amount = ''] of steps.matchAll(STEP)) {
    const duration = parseDuration(amount)
    if (duration === undefined) return undefined
    moment += sign === '-' ? -duration : duration
  }
  if (time !== undefined) {
    const since = parseTimeOfDay(time)
    // "now 20:00" would name two times.
    if (since === undefined || word === 'now') return undefined
    moment = Math.floor(moment / DAY_MS) * DAY_MS + since
  }
  return Math.abs(moment) <= MAX_MOMENT_MS ? Math.round(moment) : undefined
}

/** `19:00` and `7:30:15` -> milliseconds since midnight. */
export function parseTimeOfDay(text: string): number | undefined {
  const [, hours, minutes, seconds = '0'] = TIME.exec(text.trim()) ?? []
  if (hours === undefined) return undefined
  return (Number(hours) * 60 + Number(minutes)) * 60_000 + Number(seconds) * 1000
}
