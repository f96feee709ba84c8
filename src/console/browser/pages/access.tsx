// Shows the permissions of each role and token, and explains single ones.

import { Check, ListChecks, Minus } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import type { Matrix } from '../../described.ts'
import type { PageProps } from '../frame.tsx'
import { useAsked, useModel } from '../live.ts'
import { Icon } from '../parts/icon.tsx'
import { ModelWait } from '../parts/model-wait.tsx'
import { ask } from '../server.ts'

type Rules = Matrix['rules']['roles'][string]

interface Column {
  /** `role:editor`, `token:front-end`. */
  readonly who: string
  readonly title: string
  readonly granted: ReadonlySet<string>
  readonly rules: Rules
}

function listColumns({ roles, apiTokens, rules }: Matrix): readonly Column[] {
  const column =
    (kind: string, own: Matrix['rules']['roles']) =>
    ([name, granted]: [string, readonly string[]]): Column => ({
      who: `${kind}:${name}`,
      title: kind === 'token' ? `token ${name}` : name,
      granted: new Set(granted),
      rules: own[name] ?? {},
    })
  return [
    ...Object.entries(roles).map(column('role', rules.roles)),
    ...Object.entries(apiTokens).map(column('token', rules.apiTokens)),
  ]
}

export function formatRule(rule: unknown): string {
  const parts = Object.entries(rule as object).map(([part, value]) => {
    if (Array.isArray(value)) return `${part} ${value.join(', ')}`
    if (typeof value !== 'object' || value === null) return `${part} ${value}`
    const set = Object.entries(value).map(([name, text]) => `${name} = ${text}`)
    return `${part} ${set.join(', ')}`
  })
  return parts.join('; ')
}

export default function AccessPage({ route }: PageProps) {
  const { value: matrix, error } = useAsked<Matrix>('access')
  const model = useModel()
  const [unused, setUnused] = useState(false)
  const [chosen, setChosen] = useState<string>()
  const [query, setQuestion] = useState({ who: route.query.get('who') ?? 'public', action: '' })
  if (error !== undefined) return <p class="notice wrong">{error}</p>
  if (matrix === undefined || model === undefined) return <ModelWait />
  const columns = listColumns(matrix)
  // A phone has room for one role beside the actions.
  const only = chosen ?? (matchMedia('(max-width: 640px)').matches ? columns[0]?.who : undefined) ?? ''
  const shownColumns = columns.filter(({ who }) => only === '' || who === only)
  const askWhy = (next: Question): void => {
    setQuestion(next)
    document.querySelector('.why')?.scrollIntoView({ block: 'nearest' })
  }
  const shown = matrix.actions.filter(
    (action) => unused || action.startsWith('api::') || columns.some(({ granted }) => granted.has(action)),
  )
  const groups = new Map<string, string[]>()
  for (const action of shown) {
    const uid = action.slice(0, action.lastIndexOf('.'))
    groups.set(uid, [...(groups.get(uid) ?? []), action])
  }
  return (
    <>
      <h1>Access</h1>
      <Why question={query} columns={columns} actions={matrix.actions} onChange={setQuestion} />
      <div class="toolbar">
        <label>
          Show
          <select value={only} onChange={(event) => setChosen(event.currentTarget.value)}>
            <option value="">All roles and tokens</option>
            {columns.map(({ who, title }) => (
              <option value={who}>{title}</option>
            ))}
          </select>
        </label>
        <label class="check">
          <input type="checkbox" checked={unused} onChange={() => setUnused(!unused)} /> Plugin actions that
          no role may perform
        </label>
      </div>
      <section class="scroll" tabIndex={0} aria-label="Permissions">
        <table class="matrix">
          <thead>
            <tr>
              <th scope="col">Action</th>
              {shownColumns.map(({ title }) => (
                <th scope="col">{title}</th>
              ))}
            </tr>
          </thead>
          {[...groups].map(([uid, actions]) => (
            <tbody>
              <tr>
                <th scope="rowgroup" class="group" colSpan={shownColumns.length + 1}>
                  <span>{model.types.find((type) => type.uid === uid)?.displayName ?? uid}</span>
                </th>
              </tr>
              {actions.map((action) => (
                <tr>
                  <th scope="row">{action.slice(action.lastIndexOf('.') + 1)}</th>
                  {shownColumns.map((column) => (
                    <td>
                      <Cell
                        column={column}
                        action={action}
                        onAsk={() => askWhy({ who: column.who, action })}
                      />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      </section>
    </>
  )
}

function Cell({
  column,
  action,
  onAsk,
}: {
  readonly column: Column
  readonly action: string
  onAsk(): void
}) {
  const rules = column.rules[action]
  const granted = column.granted.has(action)
  const word = !granted ? 'no' : rules === undefined ? 'yes' : 'with a rule'
  return (
    <>
      <button
        type="button"
        class={`permission ${granted ? (rules === undefined ? 'good' : 'warning') : 'none'}`}
        aria-label={`${column.title}, ${action}: ${word}`}
        title="Explain"
        onClick={onAsk}
      >
        <Icon of={!granted ? Minus : rules === undefined ? Check : ListChecks} />
        {rules !== undefined && 'with a rule'}
      </button>
      {rules?.map((rule) => (
        <div class="rule mono">{formatRule(rule)}</div>
      ))}
    </>
  )
}

interface Question {
  readonly who: string
  readonly action: string
}

interface WhyProps {
  readonly question: Question
  readonly columns: readonly Column[]
  readonly actions: readonly string[]
  onChange(query: Question): void
}

function Why({ question: { who, action }, columns, actions, onChange }: WhyProps) {
  const [response, setAnswer] = useState<{ readonly text: string; readonly wrong: boolean }>()
  useEffect(() => {
    if (action === '') return
    let current = true
    ask<{ text: string }>('explain', { who, action }).then(
      ({ text }) => current && setAnswer({ text, wrong: false }),
      (error: Error) => current && setAnswer({ text: error.message, wrong: true }),
    )
    return () => {
      current = false
    }
  }, [who, action])
  return (
    <section class="card why" aria-label="Explain a permission">
      <h2>Explain a permission</h2>
      <div class="toolbar">
        <label>
          Role or token
          <input
            list="who"
            value={who}
            onChange={(event) => onChange({ who: event.currentTarget.value, action })}
          />
        </label>
        <datalist id="who">
          <option>public</option>
          {columns.map((column) => (
            <option>{column.who}</option>
          ))}
        </datalist>
        <label>
          Action
          <input
            list="actions"
            class="action"
            placeholder="Choose a cell of the table, or type an action"
            value={action}
            onChange={(event) => onChange({ who, action: event.currentTarget.value })}
          />
        </label>
        <datalist id="actions">
          {actions.map((one) => (
            <option>{one}</option>
          ))}
        </datalist>
      </div>
      <div aria-live="polite">
        {response !== undefined && <pre class={response.wrong ? 'error' : ''}>{response.text}</pre>}
      </div>
    </section>
  )
}
