// Turns relative moments of `data` (`today+7d`, `now-2h`, `19:00`) into the form that an attribute stores.

import type { ValueColumn } from '../../attribute-types/attribute-type.ts'
import { relativeMoment, timeOfDay } from '../../util/relative-moment.ts'

const forms: Partial<Readonly<Record<ValueColumn, (text: string, now: number) => string | undefined>>> = {
  datetime: (text, now) => isoOf(relativeMoment(text, now)),
  date: (text, now) => isoOf(relativeMoment(text, now))?.slice(0, 10),
  time: (text, now) => isoOf(timeOfDay(text) ?? relativeMoment(text, now))?.slice(11, -1),
}

/** What else may be written, for messages. */
export const relativeForms: Partial<Readonly<Record<ValueColumn, string>>> = {
  datetime: 'or a moment relative to the start: "now-2h", "today+7d 20:00"',
  date: 'or a day relative to the start: "today", "today+7d"',
  time: 'or without seconds: "18:30"',
}

/** Returns any other value as it is. `now`: epoch milliseconds. */
export function absolute(column: ValueColumn, value: unknown, now: number): unknown {
  return typeof value === 'string' ? (forms[column]?.(value, now) ?? value) : value
}

function isoOf(moment: number | undefined): string | undefined {
  if (moment === undefined) return undefined
  const text = new Date(moment).toISOString()
  // Years beyond 9999 are written with a sign, which no attribute takes.
  return text.length === 24 ? text : undefined
}
