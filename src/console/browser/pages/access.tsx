// Shows the permissions of each role and token, and explains single ones.

import { useEffect, useState } from 'preact/hooks'
import type { Matrix } from '../../described.ts'
import type { PageProps } from '../frame.tsx'
import { useAsked, useModel } from '../live.ts'
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
  const [query, setQuestion] = useState({ who: route.query.get('who') ?? 'public', action: '' })
  if (error !== undefined) return <p class="notice wrong">{error}</p>
  if (matrix === undefined || model === undefined) return <p class="quiet">Loading …</p>
  const columns = listColumns(matrix)
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
      <label class="check">
        <input type="checkbox" checked={unused} onChange={() => setUnused(!unused)} /> actions of plugins that
        nobody has
      </label>
      <section class="scroll" tabIndex={0} aria-label="Permissions">
        <table class="matrix">
          <thead>
            <tr>
              <th scope="col">Action</th>
              {columns.map(({ title }) => (
                <th scope="col">{title}</th>
              ))}
            </tr>
          </thead>
          {[...groups].map(([uid, actions]) => (
            <tbody>
              <tr>
                <th scope="rowgroup" class="group" colSpan={columns.length + 1}>
                  {model.types.find((type) => type.uid === uid)?.displayName ?? uid}
                </th>
              </tr>
              {actions.map((action) => (
                <tr>
                  <th scope="row">{action.slice(action.lastIndexOf('.') + 1)}</th>
                  {columns.map((column) => (
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
  const word = !granted ? 'no' : rules === undefined ? 'yes' : 'rule'
  return (
    <>
      <button
        type="button"
        class={`plain ${granted ? (rules === undefined ? 'good' : 'warning') : 'none'}`}
        aria-label={`${word}: why ${column.title} ${action}`}
        onClick={onAsk}
      >
        {word === 'no' ? '–' : word}
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
    <section class="card why" aria-label="Why">
      <div class="toolbar">
        <label>
          Why may
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
          (not) do
          <input
            list="actions"
            class="action"
            placeholder="click into the table, or write an action"
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
