// Conditions on attributes, which the API applies.

import type { Attribute, Type } from '../../src/console/described.ts'
import type { Filter } from './load.ts'

const TEXTS = ['$containsi', '$eq', '$ne', '$startsWith', '$endsWith', '$in', '$null', '$notNull']
const ORDERED = ['$eq', '$ne', '$lt', '$lte', '$gt', '$gte', '$null', '$notNull']

export const OPERATORS: Readonly<Record<string, string>> = {
  $containsi: 'contains',
  $eq: 'is',
  $ne: 'is not',
  $startsWith: 'begins with',
  $endsWith: 'ends with',
  $in: 'is one of',
  $lt: 'is less than',
  $lte: 'is at most',
  $gt: 'is greater than',
  $gte: 'is at least',
  $null: 'is empty',
  $notNull: 'is not empty',
}

export function operatorsFor(attribute: Attribute | undefined): readonly string[] {
  const { type = 'integer' } = attribute ?? {}
  if (type === 'boolean') return ['$eq', '$ne', '$null', '$notNull']
  return ['string', 'text', 'richtext', 'email', 'uid', 'enumeration'].includes(type) ? TEXTS : ORDERED
}

export function filterable({ attributes }: Type): readonly Attribute[] {
  return attributes.filter(
    ({ kind, type, private: hidden }) =>
      kind === 'scalar' && hidden !== true && type !== 'password' && type !== 'json',
  )
}

interface FiltersProps {
  readonly type: Type
  readonly filters: readonly Filter[]
  onChange(filters: readonly Filter[]): void
}

export function Filters({ type, filters, onChange }: FiltersProps) {
  const attributes = filterable(type)
  const change = (index: number, part: Partial<Filter>): void =>
    onChange(filters.map((one, at) => (at === index ? { ...one, ...part } : one)))
  const names = ['id', ...attributes.map(({ name }) => name), 'createdAt', 'updatedAt']
  return (
    <div class="filters">
      {filters.map(({ name, operator, value }, index) => (
        <div class="buttons">
          <select
            aria-label="Attribute"
            value={name}
            onChange={(event) => change(index, { name: event.currentTarget.value, operator: '$eq' })}
          >
            {names.map((one) => (
              <option>{one}</option>
            ))}
          </select>
          <select
            aria-label="Condition"
            value={operator}
            onChange={(event) => change(index, { operator: event.currentTarget.value })}
          >
            {operatorsFor(attributes.find((one) => one.name === name)).map((one) => (
              <option value={one}>{OPERATORS[one]}</option>
            ))}
          </select>
          {operator !== '$null' && operator !== '$notNull' && (
            <input
              aria-label="Value"
              value={value}
              onInput={(event) => change(index, { value: event.currentTarget.value })}
            />
          )}
          <button
            type="button"
            class="small"
            aria-label={`Remove the condition on ${name}`}
            onClick={() => onChange(filters.filter((_, at) => at !== index))}
          >
            ×
          </button>
        </div>
      ))}
      <button
        type="button"
        class="small"
        onClick={() => {
          const [first] = attributes
          const name = first?.name ?? 'id'
          onChange([...filters, { name, operator: operatorsFor(first)[0] ?? '$eq', value: '' }])
        }}
      >
        Add a filter
      </button>
    </div>
  )
}
