// What needs attention in a form, as a list that leads to the fields.

import { useEffect, useRef } from 'preact/hooks'
import type { Model, Type } from '../../described.ts'
import { sayCount } from '../messages.ts'
import type { Fault } from '../server.ts'
import { labelPath } from './explain-fault.ts'
import type { Values } from './values.ts'

interface SummaryProps {
  readonly type: Type
  readonly model: Model
  readonly values: Values
  readonly faults: readonly Fault[]
  /** The focus moves here when it changes. */
  readonly refusals: number
}

export function FaultSummary({ type, model, values, faults, refusals }: SummaryProps) {
  const element = useRef<HTMLElement>(null)
  useEffect(() => {
    if (faults.length > 0) element.current?.focus()
  }, [refusals])
  if (faults.length === 0) return null
  const fields = new Set(faults.map(({ path }) => path.join('.'))).size
  return (
    <section class="notice wrong summary" tabIndex={-1} ref={element} aria-labelledby="summary-title">
      <h2 id="summary-title">
        {sayCount(fields, '1 field needs attention', '{count} fields need attention')}
      </h2>
      <ul>
        {faults.map(({ path, message }) => {
          const label = labelPath(type.attributes, values, path, model)
          return (
            <li>
              {label !== undefined && (
                <>
                  <button type="button" class="plain" onClick={() => focusField(path)}>
                    {label}
                  </button>
                  {': '}
                </>
              )}
              {message}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

const FOCUSABLE =
  'input:not([disabled]), select:not([disabled]), textarea:not([disabled]), button:not([disabled]), [contenteditable="true"]'

/** Focuses the innermost field of the path that is shown, and opens what is folded around it. */
function focusField(path: readonly string[]): void {
  const ids = path.map((_, index) => `field-${path.slice(0, path.length - index).join('-')}`)
  const named = ids.flatMap(
    (id) =>
      document.getElementById(id) ??
      document.querySelector<HTMLElement>(`[data-field="${CSS.escape(id)}"]`) ??
      [],
  )
  const section = document.getElementById(`at-${path[0]}`)
  const field = named[0] ?? section?.querySelector<HTMLElement>(FOCUSABLE) ?? section
  if (field === null || field === undefined) return
  for (let around = field.closest('details'); around !== null; ) {
    around.open = true
    around = around.parentElement?.closest('details') ?? null
  }
  field.scrollIntoView({ block: 'center' })
  field.focus()
}
