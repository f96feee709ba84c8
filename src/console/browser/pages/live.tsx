// Shows requests as they arrive, their rate and latency, and the outcome of edits.

import { useState } from 'preact/hooks'
import type { OfProcess, RequestSummary, Scans } from '../../described.ts'
import { useAsked, useLive } from '../live.ts'
import { ChangeList } from '../parts/changes.tsx'
import { LiveTable, TimeCell } from '../parts/live-table.tsx'
import { Plot } from '../parts/plot.tsx'
import { Readings } from '../parts/readings.tsx'
import { Report } from '../parts/report.tsx'

const SPAN_SECONDS = 60

export default function LivePage() {
  const { requests, readings, file, processes } = useLive(true)
  const [paused, setPaused] = useState<readonly (RequestSummary & OfProcess)[]>()
  const [only, setOnly] = useState('')
  const shown = (paused ?? requests)
    .filter(({ method, path, status }) => `${method} ${path} ${status}`.includes(only))
    .toReversed()
    .slice(0, 100)
  const now = Math.floor(Date.now() / 1000)
  const seconds = Array.from({ length: SPAN_SECONDS }, (_, index) => now - SPAN_SECONDS + 1 + index)
  const inSecond = (second: number): readonly RequestSummary[] =>
    requests.filter(({ at }) => Math.floor(at / 1000) === second)
  const rates = seconds.map((second) => inSecond(second).length)
  const slowest = seconds.map((second) => Math.max(0, ...inSecond(second).map(({ ms }) => ms)))
  const scans = useAsked<Scans>('scans')
  const warned = readings.findLast(({ report }) => report !== '')
  return (
    <>
      <h1>Live</h1>
      <div class="cards">
        <section class="card">
          <h2>Requests per second</h2>
          <Plot values={rates} unit="" label="Requests in each of the last 60 seconds" />
        </section>
        <section class="card">
          <h2>Slowest request in each second</h2>
          <Plot
            values={slowest}
            unit=" ms"
            label="Milliseconds of the slowest request in each of the last 60 seconds"
          />
        </section>
        <section class="card">
          <h2>Reloads of {file?.split('/').at(-1) ?? 'the configuration'}</h2>
          <Readings readings={readings.slice(-6).toReversed()} />
        </section>
      </div>
      {warned !== undefined && warned.outcome !== 'rejected' && (
        <section class="notice below" aria-label="Result of the last reload">
          <h2>Result of the last reload</h2>
          <Report text={warned.report} />
        </section>
      )}
      <h2 class="below">Requests</h2>
      <div class="toolbar">
        <label>
          Filter
          <input
            type="search"
            placeholder="GET /api"
            value={only}
            onInput={(event) => setOnly(event.currentTarget.value)}
          />
        </label>
        <button type="button" onClick={() => setPaused(paused === undefined ? requests : undefined)}>
          {paused === undefined ? 'Pause' : 'Resume'}
        </button>
      </div>
      <LiveTable
        label="Requests"
        empty="Requests appear here as they arrive."
        columns={['Time', 'Request', 'Status', 'ms', 'Caller', 'SQL', ...(processes > 1 ? ['Process'] : [])]}
        numbers={['Status', 'ms']}
        rows={shown.map((one) => (
          <Row key={`${one.process} ${one.number}`} seen={one} shared={processes > 1} />
        ))}
      />
      <section class="below" aria-label="Lists that read every entry">
        <h2>Lists that read every entry</h2>
        {scans.value?.scans.map((text) => (
          <p class="mono">{text}</p>
        ))}
        {scans.value?.scans.length === 0 && <p class="quiet">No list that was requested more than once.</p>}
        <button type="button" onClick={scans.again}>
          Check again
        </button>
      </section>
      <ChangeList />
    </>
  )
}

function Row({ seen, shared }: { readonly seen: RequestSummary & OfProcess; readonly shared: boolean }) {
  const { at, method, path, query, status, ms, statements } = seen
  return (
    <tr>
      <TimeCell at={at} />
      <td class="mono request">
        <strong>{method}</strong> {path}
        {query !== '' && <span class="quiet">?{query}</span>}
      </td>
      <td class={`number ${status >= 400 ? 'error' : ''}`}>{status}</td>
      <td class="number">{ms.toFixed(1)}</td>
      <td>{formatCaller(seen)}</td>
      <td>
        {statements.length > 0 && (
          <details>
            <summary>{statements.length}</summary>
            {statements.map((text) => (
              <pre class="sql">{text}</pre>
            ))}
          </details>
        )}
      </td>
      {shared && <td>{seen.process}</td>}
    </tr>
  )
}

function formatCaller({ role, user, token }: RequestSummary): string {
  if (token !== undefined) return token.startsWith('role ') || token === 'console' ? token : `token ${token}`
  return user === undefined ? (role ?? '') : `user ${user} (${role})`
}
