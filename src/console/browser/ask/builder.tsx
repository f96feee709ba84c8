// Builds a query from the model by clicks.

import type { Model, Type } from '../../described.ts'
import { ConditionParts, listOperatorNames } from '../data/filters.tsx'
import type { Filter } from '../data/load.ts'
import { PathChoice } from './path-choice.tsx'
import { PopulateChoice } from './populate-choice.tsx'
import { isComparable, isShown, listAttributesAlong, type RequestDraft } from './query.ts'

interface BuilderProps {
  readonly type: Type
  readonly model: Model
  readonly question: RequestDraft
  onChange(query: RequestDraft): void
}

export function Builder({ type, model, question: query, onChange }: BuilderProps) {
  const change = (part: Partial<RequestDraft>): void => onChange({ ...query, ...part })
  const links = type.attributes.filter((one) => one.kind !== 'scalar' && isShown(one))
  const [sorted = '', order = 'asc'] = query.sort.split(':')
  const single = type.kind === 'singleType'
  return (
    <>
      {!single && (
        <Conditions {...{ type, model, question: query }} onChange={(filters) => change({ filters })} />
      )}
      {!single && (
        <fieldset class="field buttons">
          <legend>Sort and page</legend>
          <PathChoice
            {...{ type, model }}
            label="Sort by"
            none="by id"
            path={sorted}
            onChange={(path) => change({ sort: path === '' ? '' : `${path}:${order}` })}
          />
          {sorted !== '' && (
            <select
              aria-label="Order"
              value={order}
              onChange={(event) => change({ sort: `${sorted}:${event.currentTarget.value}` })}
            >
              <option value="asc">ascending</option>
              <option value="desc">descending</option>
            </select>
          )}
          <input
            aria-label="Entries on a page"
            type="number"
            min="1"
            max="100"
            value={query.pageSize}
            onInput={(event) => change({ pageSize: Number(event.currentTarget.value) || 10 })}
          />
          {type.draftAndPublish && (
            <label class="check">
              <input
                type="checkbox"
                checked={query.drafts}
                onChange={() => change({ drafts: !query.drafts })}
              />{' '}
              drafts, too
            </label>
          )}
        </fieldset>
      )}
      {links.length > 0 && (
        <fieldset class="field choices">
          <legend>Populate</legend>
          <PopulateChoice
            {...{ attributes: type.attributes, model, path: [] }}
            chosen={query.populate}
            onChange={(populate) => change({ populate })}
          />
        </fieldset>
      )}
      <fieldset class="field choices">
        <legend>Fields (none selected: all)</legend>
        {type.attributes
          .filter((one) => one.kind === 'scalar' && isShown(one))
          .map(({ name }) => (
            <label class="check">
              <input
                type="checkbox"
                checked={query.fields.includes(name)}
                onChange={() => change({ fields: toggled(query.fields, name) })}
              />{' '}
              {name}
            </label>
          ))}
      </fieldset>
    </>
  )
}

function toggled(list: readonly string[], name: string): readonly string[] {
  return list.includes(name) ? list.filter((one) => one !== name) : [...list, name]
}

interface ConditionsProps extends Omit<BuilderProps, 'onChange'> {
  onChange(filters: readonly Filter[]): void
}

function Conditions({ type, model, question: { filters }, onChange }: ConditionsProps) {
  const set = (index: number, part: Partial<Filter>): void =>
    onChange(filters.map((one, at) => (at === index ? { ...one, ...part } : one)))
  const listOperators = (path: string) => listOperatorNames(listAttributesAlong(type, model, path).at(-1))
  return (
    <fieldset class="field">
      <legend>Filters</legend>
      {filters.map(({ name, operator, value }, index) => (
        <div class="buttons condition">
          <PathChoice
            {...{ type, model }}
            label="Attribute"
            path={name}
            onChange={(path) => set(index, { name: path, operator: listOperators(path)[0] ?? '$eq' })}
          />
          <ConditionParts
            {...{ name, operator, value }}
            operators={listOperators(name)}
            onChange={(part) => set(index, part)}
            onRemove={() => onChange(filters.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <button
        type="button"
        class="small"
        onClick={() => {
          const name = type.attributes.find(isComparable)?.name ?? 'id'
          onChange([...filters, { name, operator: listOperators(name)[0] ?? '$eq', value: '' }])
        }}
      >
        Add
      </button>
    </fieldset>
  )
}
