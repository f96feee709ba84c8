// Edits one condition of a view: the attribute, the operator in words, and a value by the type of the attribute.

import { useId, useState } from 'preact/hooks'
import type { Attribute, Model } from '../../described.ts'
import { say } from '../messages.ts'
import { findAttribute } from './columns.ts'
import { EntryChoice } from './entry-choice.tsx'
import { formatOperator, listListOperators } from './filters.tsx'
import { type Filter, isValueless } from './load.ts'

interface EditorProps {
  readonly attributes: readonly Attribute[]
  readonly model: Model
  /** Undefined: a new one. */
  readonly filter: Filter | undefined
  onApply(filter: Filter): void
}

export function FilterEditor({ attributes, model, filter, onApply }: EditorProps) {
  const [draft, setDraft] = useState<Filter>(filter ?? buildFilter(attributes[0]))
  const attribute = findAttribute(attributes, draft)
  const operators = attribute === undefined ? [draft.operator] : listListOperators(attribute)
  const isComplete = isValueless(draft) || draft.value !== ''
  return (
    <form
      class="filter-editor"
      onSubmit={(event) => {
        event.preventDefault()
        if (isComplete) onApply(draft)
      }}
    >
      <label>
        {say('Attribute')}
        <select
          value={attribute?.name}
          onChange={({ currentTarget: { value: name } }) =>
            setDraft(buildFilter(attributes.find((one) => one.name === name)))
          }
        >
          {attributes.map(({ name, label }) => (
            <option value={name}>{label}</option>
          ))}
        </select>
      </label>
      <label>
        {say('Condition')}
        <select
          value={draft.operator}
          onChange={(event) => setDraft({ ...draft, operator: event.currentTarget.value })}
        >
          {operators.map((one) => (
            <option value={one}>{formatOperator(one, attribute?.type)}</option>
          ))}
        </select>
      </label>
      {!isValueless(draft) && attribute !== undefined && (
        <ValueInput
          key={attribute.name}
          {...{ attribute, model, draft }}
          onChange={(value, name) => setDraft({ ...draft, value, name: name ?? draft.name })}
        />
      )}
      <p class="buttons">
        <button type="submit" class="main" disabled={!isComplete}>
          {say('Apply')}
        </button>
      </p>
    </form>
  )
}

function buildFilter(attribute: Attribute | undefined): Filter {
  const { name = 'id', kind = 'scalar' } = attribute ?? {}
  const [operator = '$eq'] = attribute === undefined ? [] : listListOperators(attribute)
  const value = attribute?.type === 'boolean' ? 'true' : (attribute?.enum?.[0] ?? '')
  return { name: kind === 'scalar' ? name : `${name}.id`, operator, value }
}

interface ValueProps {
  readonly attribute: Attribute
  readonly model: Model
  readonly draft: Filter
  /** `name`: of a linked entry, the path to its key. */
  onChange(value: string, name?: string): void
}

function ValueInput({ attribute, model, draft: { value, operator }, onChange }: ValueProps) {
  const id = useId()
  const { type, kind, enum: choices, name } = attribute
  if (kind === 'relation')
    return (
      <EntryChoice
        {...{ attribute, model, value }}
        onChoose={(key, isDocument) => onChange(key, `${name}.${isDocument ? 'documentId' : 'id'}`)}
      />
    )
  const isChoice = type === 'boolean' || (choices !== undefined && operator !== '$in')
  return (
    <label htmlFor={id}>
      {say('Value')}
      {isChoice ? (
        <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          {type === 'boolean' ? (
            <>
              <option value="true">{say('Yes')}</option>
              <option value="false">{say('No')}</option>
            </>
          ) : (
            choices?.map((one) => <option>{one}</option>)
          )}
        </select>
      ) : (
        <input
          id={id}
          // The types of the library know the input of one type only.
          type={(operator === '$in' ? 'text' : getInputType(type)) as 'text'}
          step={type === 'decimal' || type === 'float' ? 'any' : undefined}
          placeholder={operator === '$in' ? say('one, two, three') : undefined}
          value={type === 'datetime' ? toLocalInput(value) : value}
          onInput={({ currentTarget: { value: next } }) =>
            onChange(type === 'datetime' ? toInstant(next) : next)
          }
        />
      )}
    </label>
  )
}

const INPUT_TYPES: Readonly<Record<string, 'number' | 'date' | 'datetime-local' | 'time'>> = {
  integer: 'number',
  decimal: 'number',
  float: 'number',
  date: 'date',
  datetime: 'datetime-local',
  time: 'time',
}

function getInputType(type: string) {
  return INPUT_TYPES[type] ?? 'text'
}

/** The API has instants, the browser's input a clock time of its own zone. */
function toLocalInput(instant: string): string {
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return ''
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

function toInstant(local: string): string {
  const date = new Date(local)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString()
}
