// What came of the last readings of the file.

import type { OfProcess, Reading } from '../../described.ts'
import { useLive } from '../live.ts'

const OUTCOMES: Readonly<Record<Reading['outcome'], string>> = {
  started: 'started',
  reloaded: 'reloaded',
  rejected: 'refused: it has errors',
  held: 'held until it is read again',
  unchanged: 'nothing changed',
}

export function Readings({ readings }: { readonly readings: readonly (Reading & OfProcess)[] }) {
  const { processes } = useLive()
  return (
    <ul class="readings">
      {readings.map(({ at, outcome, ms, process }) => (
        <li class={outcome === 'rejected' ? 'error' : ''}>
          <time dateTime={new Date(at).toISOString()}>{new Date(at).toLocaleTimeString()}</time>{' '}
          {OUTCOMES[outcome]}
          {ms !== undefined && ` in ${ms.toFixed(0)} ms`}
          {processes > 1 && <span class="kind"> process {process}</span>}
        </li>
      ))}
    </ul>
  )
}
