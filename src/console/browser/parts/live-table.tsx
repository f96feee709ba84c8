// A table of events while the page is open, the newest first.

import type { ComponentChildren } from 'preact'

interface LiveTableProps {
  readonly label: string
  readonly empty: string
  readonly columns: readonly string[]
  readonly numbers?: readonly string[]
  readonly rows: readonly ComponentChildren[]
}

export function LiveTable({ label, empty, columns, numbers = [], rows }: LiveTableProps) {
  return (
    <section class="scroll" tabIndex={0} aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map((name) => (
              <th scope="col" class={numbers.includes(name) ? 'number' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{rows}</tbody>
      </table>
      {rows.length === 0 && <p class="quiet empty">{empty}</p>}
    </section>
  )
}

/** `at`: epoch milliseconds. */
export function TimeCell({ at }: { readonly at: number }) {
  const time = new Date(at)
  return (
    <td>
      <time dateTime={time.toISOString()}>{time.toLocaleTimeString()}</time>
    </td>
  )
}
