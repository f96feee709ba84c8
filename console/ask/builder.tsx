// Clicks a question together from the model.

import type { Model, Type } from '../../src/console/described.ts'
import { OPERATORS, operatorsFor } from '../data/filters.tsx'
import type { Filter } from '../data/load.ts'
import { pathsOf, type Question } from './question.ts'

interface BuilderProps {
  readonly type: Type
  readonly model: Model
  readonly question: Question
  onChange(question: Question): void
}

export function Builder({ type, model, question, onChange }: BuilderProps) {
  const paths = pathsOf(type, model)
  const change = (part: Partial<Question>): void => onChange({ ...question, ...part })
  const setFilter = (index: number, part: Partial<Filter>): void =>
    change({ filters: question.filters.map((one, at) => (at === index ? { ...one, ...part } : one)) })
  const toggled = (list: readonly string[], name: string): readonly string[] =>
    list.includes(name) ? list.filter((one) => one !== name) : [...list, name]
  const links = type.attributes.filter(({ kind, private: hidden }) => kind !== 'scalar' && hidden !== true)
  const [sorted = '', order = 'asc'] = question.sort.split(':')
  const single = type.kind === 'singleType'
  return (
    <>
      {!single && (
        <fieldset class="field">
          <legend>filters</legend>
          {question.filters.map(({ name, operator, value }, index) => (
            <div class="buttons condition">
              <select
                aria-label="Attribute"
                value={name}
                onChange={(event) => setFilter(index, { name: event.currentTarget.value, operator: '$eq' })}
              >
                <option>id</option>
                {paths.map(({ path }) => (
                  <option>{path}</option>
                ))}
              </select>
              <select
                aria-label="Condition"
                value={operator}
                onChange={(event) => setFilter(index, { operator: event.currentTarget.value })}
              >
                {operatorsFor(paths.find(({ path }) => path === name)?.attribute).map((one) => (
                  <option value={one}>{OPERATORS[one]}</option>
                ))}
              </select>
              {operator !== '$null' && operator !== '$notNull' && (
                <input
                  aria-label="Value"
                  value={value}
                  onInput={(event) => setFilter(index, { value: event.currentTarget.value })}
                />
              )}
              <button
                type="button"
                class="small"
                aria-label={`Remove the condition on ${name}`}
                onClick={() => change({ filters: question.filters.filter((_, at) => at !== index) })}
              >
                ×
              </button>
            </div>
          ))}
          <button
            type="button"
            class="small"
            onClick={() => {
              const first = paths[0]
              const operator = operatorsFor(first?.attribute)[0] ?? '$eq'
              change({ filters: [...question.filters, { name: first?.path ?? 'id', operator, value: '' }] })
            }}
          >
            Add
          </button>
        </fieldset>
      )}
      {!single && (
        <fieldset class="field buttons">
          <legend>sort and page</legend>
          <select
            aria-label="Sort by"
            value={sorted}
            onChange={({ currentTarget: { value } }) =>
              change({ sort: value === '' ? '' : `${value}:${order}` })
            }
          >
            <option value="">by id</option>
            {paths.map(({ path }) => (
              <option>{path}</option>
            ))}
          </select>
          {sorted !== '' && (
            <select
              aria-label="Order"
              value={order}
              onChange={(event) => change({ sort: `${sorted}:${event.currentTarget.value}` })}
            >
              <option value="asc">rising</option>
              <option value="desc">falling</option>
            </select>
          )}
          <input
            aria-label="Entries on a page"
            type="number"
            min="1"
            max="100"
            value={question.pageSize}
            onInput={(event) => change({ pageSize: Number(event.currentTarget.value) || 10 })}
          />
          {type.draftAndPublish && (
            <label class="check">
              <input
                type="checkbox"
                checked={question.drafts}
                onChange={() => change({ drafts: !question.drafts })}
              />{' '}
              drafts, too
            </label>
          )}
        </fieldset>
      )}
      {links.length > 0 && (
        <Choices
          title="populate"
          names={links.map(({ name }) => name)}
          chosen={question.populate}
          onToggle={(name) => change({ populate: toggled(question.populate, name) })}
        />
      )}
      <Choices
        title="fields (none: all)"
        names={type.attributes
          .filter((one) => one.kind === 'scalar' && one.private !== true)
          .map(({ name }) => name)}
        chosen={question.fields}
        onToggle={(name) => change({ fields: toggled(question.fields, name) })}
      />
    </>
  )
}

interface ChoicesProps {
  readonly title: string
  readonly names: readonly string[]
  readonly chosen: readonly string[]
  onToggle(name: string): void
}

function Choices({ title, names, chosen, onToggle }: ChoicesProps) {
  return (
    <fieldset class="field choices">
      <legend>{title}</legend>
      {names.map((name) => (
        <label class="check">
          <input type="checkbox" checked={chosen.includes(name)} onChange={() => onToggle(name)} /> {name}
        </label>
      ))}
    </fieldset>
  )
}
