// Inputs for moments and times of day: the browser's own, in the time zone of the editor.

import { say } from '../messages.ts'
import type { InputProps } from './labelled.tsx'
import { TypedInput } from './typed-input.tsx'

interface TimeProps {
  readonly input: InputProps
  readonly value: unknown
  onChange(value: unknown): void
}

/** A moment is stored in UTC. */
export function MomentInput(props: TimeProps) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return (
    <span class="with-unit">
      <TypedInput {...props} more={{ type: 'datetime-local' }} format={formatLocal} parse={parseLocal} />
      <span class="unit">{say('{timeZone} time', { timeZone })}</span>
    </span>
  )
}

export function TimeInput(props: TimeProps) {
  return <TypedInput {...props} more={{ type: 'time' }} format={shortenTime} parse={lengthenTime} />
}

/** `2026-02-28T12:30:00.000Z` -> `2026-02-28T13:30`; seconds are shown if there are any. */
function formatLocal(value: unknown): string {
  const moment = new Date(String(value ?? ''))
  if (Number.isNaN(moment.getTime())) return ''
  const pad = (number: number, length = 2): string => String(number).padStart(length, '0')
  const date = [pad(moment.getFullYear(), 4), pad(moment.getMonth() + 1), pad(moment.getDate())].join('-')
  const time = [moment.getHours(), moment.getMinutes(), moment.getSeconds()].map((part) => pad(part))
  return `${date}T${shortenTime(`${time.join(':')}.${pad(moment.getMilliseconds(), 3)}`)}`
}

function parseLocal(text: string): string | null {
  const moment = new Date(text)
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString()
}

/** `12:30:00.000` -> `12:30`. */
function shortenTime(time: unknown): string {
  return String(time ?? '')
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
    .replace(/^(\d\d:\d\d):00$/, '$1')
}

/** `12:30` -> `12:30:00.000`, as the API answers it. */
function lengthenTime(text: string): string | null {
  const [, start, seconds = '00', rest = ''] = /^(\d\d:\d\d)(?::(\d\d)(?:\.(\d+))?)?$/.exec(text) ?? []
  return start === undefined ? null : `${start}:${seconds}.${rest.padEnd(3, '0')}`
}
