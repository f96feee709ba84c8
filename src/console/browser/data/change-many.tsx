// Sets an attribute of many entries, or deletes them, in one request: the chosen ones, or all of the view. First it says how many.

import { useState } from 'preact/hooks'
import type { Entry, Model, Type } from '../../described.ts'
import { type Fault, RequestError } from '../server.ts'
import { Field } from './fields.tsx'
import { listConditions, type View } from './load.ts'
import { buildPayload, type Values } from './values.ts'
import { type Selection, selectEntries, writeMany } from './write.ts'

interface ChangeManyProps {
  readonly type: Type
  readonly model: Model
  readonly view: View
  /** Empty: all of the view. */
  readonly chosen: readonly Entry[]
  onChanged(): void
}

const DELETE = 'delete'

export function ChangeMany({ type, model, view, chosen, onChanged }: ChangeManyProps) {
  const attributes = type.attributes.filter(
    ({ kind, writable, writeOnce, computed, private: hidden }) =>
      kind === 'scalar' && writable !== false && writeOnce !== true && computed === undefined && !hidden,
  )
  const [action, setAction] = useState(attributes[0]?.name ?? DELETE)
  const [values, setValues] = useState<Values>({})
  const [plan, setPlan] = useState<{ readonly count: number; readonly selected: string }>()
  const [faults, setFaults] = useState<readonly Fault[]>([])
  const [said, setSaid] = useState<{ readonly text: string; readonly wrong: boolean }>()
  const attribute = attributes.find(({ name }) => name === action)
  const selections = chosen.length > 0 ? selectEntries(type, chosen) : selectView(type, view)
  // A number that was said of another view, or of other entries, is not offered.
  const selected = JSON.stringify(selections)
  const planned = plan !== undefined && plan.selected === selected ? plan.count : undefined

  const run = async (planOnly: boolean): Promise<void> => {
    setFaults([])
    setSaid(undefined)
    setPlan(undefined)
    try {
      const data = attribute === undefined ? undefined : buildPayload([attribute], values, model, true)
      let count = 0
      for (const selection of selections ?? [])
        count += await writeMany(type, model, selection, data, planOnly)
      if (planOnly) setPlan({ count, selected })
      else {
        setSaid({
          text: `${formatCount(count)} ${data === undefined ? 'deleted' : 'changed'}.`,
          wrong: false,
        })
        onChanged()
      }
    } catch (error) {
      if (error instanceof RequestError) setFaults(error.faults)
      setSaid({ text: (error as Error).message, wrong: true })
    }
  }
  const choose = (name: string): void => {
    setAction(name)
    setValues({})
    setPlan(undefined)
    setSaid(undefined)
  }
  return (
    <details class="menu">
      <summary class="button">Change many</summary>
      <div class="list">
        <label>
          {chosen.length > 0 ? `${formatCount(chosen.length)} chosen` : 'All entries of this view'}
          <select value={action} onChange={(event) => choose(event.currentTarget.value)}>
            {attributes.map(({ name }) => (
              <option value={name}>set {name}</option>
            ))}
            <option value={DELETE}>delete</option>
          </select>
        </label>
        {attribute !== undefined && (
          <Field
            key={attribute.name}
            {...{ attribute, model, faults }}
            value={values[attribute.name]}
            path={[attribute.name]}
            onChange={(value) => {
              setValues({ [attribute.name]: value })
              setPlan(undefined)
            }}
          />
        )}
        {selections === undefined ? (
          <p class="quiet">
            Choose entries, or show drafts, too, without a search: it is not a filter of a change.
          </p>
        ) : (
          <p class="buttons">
            <button type="button" onClick={() => run(true)}>
              How many?
            </button>
            {planned !== undefined && (
              <button
                type="button"
                class={attribute === undefined ? 'danger' : 'main'}
                onClick={() => run(false)}
              >
                {attribute === undefined ? 'Delete' : 'Change'} {formatCount(planned)}
              </button>
            )}
          </p>
        )}
        {said !== undefined && (
          <p class={said.wrong ? 'error' : 'quiet'} role={said.wrong ? 'alert' : 'status'}>
            {said.text}
          </p>
        )}
      </div>
    </details>
  )
}

/** Undefined if filters cannot say the view: a search, and published entries only. */
function selectView(type: Type, view: View): readonly Selection[] | undefined {
  const conditions = listConditions(view)
  const filters = conditions.length === 0 ? {} : { $and: conditions }
  const isWhole = view.search === '' && (!type.draftAndPublish || view.state === 'preview')
  const locale = type.locales === undefined ? undefined : view.locale
  return isWhole ? [{ filters, locale }] : undefined
}

function formatCount(count: number): string {
  return `${count} ${count === 1 ? 'entry' : 'entries'}`
}
