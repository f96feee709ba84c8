// Shows committed changes of entries while the page is open.

import { useEffect, useState } from 'preact/hooks'
import type { ChangeSummary, Changes, Model } from '../../described.ts'
import { getType } from '../data/values.ts'
import { useModel } from '../live.ts'
import { ask } from '../server.ts'
import { LiveTable, TimeCell } from './live-table.tsx'
import { ModelWait } from './model-wait.tsx'

const POLL_INTERVAL_MS = 1000
const MAX_CHANGES = 300

function useChanges(): {
  readonly recorded: boolean | undefined
  readonly changes: readonly ChangeSummary[]
} {
  const [recorded, setRecorded] = useState<boolean>()
  const [changes, setChanges] = useState<readonly ChangeSummary[]>([])
  useEffect(() => {
    let last: string | undefined
    let timer: ReturnType<typeof setTimeout>
    let ended = false
    const look = async (): Promise<void> => {
      try {
        const said = await ask<Changes>(
          `changes${last === undefined ? '' : `?after=${encodeURIComponent(last)}`}`,
        )
        last = said.last
        setRecorded(said.recorded)
        if (said.changes.length > 0) setChanges((before) => [...before, ...said.changes].slice(-MAX_CHANGES))
      } catch {
        // The frame reports that the server is gone or refuses the key.
      }
      if (!ended) timer = setTimeout(look, POLL_INTERVAL_MS)
    }
    void look()
    return () => {
      ended = true
      clearTimeout(timer)
    }
  }, [])
  return { recorded, changes }
}

export function ChangeList() {
  const { recorded, changes } = useChanges()
  const model = useModel()
  const [only, setOnly] = useState('')
  if (recorded === undefined) return null
  if (model === undefined) return <ModelWait />
  const types = [...new Set(changes.map(({ type }) => type))].toSorted()
  const shown = changes.filter(({ type }) => only === '' || type === only).toReversed()
  return (
    <section class="below">
      <h2>Changes of entries</h2>
      {!recorded && (
        <p class="quiet">
          Changes are not recorded. With <code>plugins: {'{ events: true }'}</code> in the file they appear
          here.
        </p>
      )}
      {recorded && (
        <>
          <div class="toolbar">
            <label>
              Content-type{' '}
              <select value={only} onChange={(event) => setOnly(event.currentTarget.value)}>
                <option value="">All</option>
                {types.map((uid) => (
                  <option value={uid}>{getType(model, uid)?.name ?? uid}</option>
                ))}
              </select>
            </label>
          </div>
          <LiveTable
            label="Changes"
            empty="Changes appear here as they are committed."
            columns={['Time', 'Change', 'Entry', 'Attributes']}
            rows={shown.map((one) => <Row key={one.number} change={one} model={model} />)}
          />
        </>
      )}
    </section>
  )
}

function Row({ change, model }: { readonly change: ChangeSummary; readonly model: Model }) {
  const { at, action, type, entry, documentId, locale, status, attributes } = change
  const name = getType(model, type)?.name
  const title = [`${name ?? type} ${documentId ?? entry ?? ''}`, locale, status].filter(Boolean).join(', ')
  const gone = action === 'delete' || entry === undefined || name === undefined
  return (
    <tr>
      <TimeCell at={at} />
      <td>{action}</td>
      <td>{gone ? title : <a href={`#/data/${name}/${documentId ?? entry}`}>{title}</a>}</td>
      <td class="mono">{attributes.join(', ')}</td>
    </tr>
  )
}
