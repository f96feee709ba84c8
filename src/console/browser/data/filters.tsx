// Conditions on attributes, which the API applies.

import type { Attribute, Type } from '../../described.ts'
import { type Filter, isValueless } from './load.ts'

const TEXTS = ['$containsi', '$eq', '$ne', '$startsWith', '$endsWith', '$in', '$null', '$notNull']
const ORDERED = ['$eq', '$ne', '$lt', '$lte', '$gt', '$gte', '$null', '$notNull']

const OPERATORS: Readonly<Record<string, string>> = {
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

export function listOperatorNames(attribute: Attribute | undefined): readonly string[] {
  const { type = 'integer' } = attribute ?? {}
  if (type === 'boolean') return ['$eq', '$ne', '$null', '$notNull']
  return ['string', 'text', 'richtext', 'email', 'uid', 'enumeration'].includes(type) ? TEXTS : ORDERED
}

function filterable({ attributes }: Type): readonly Attribute[] {
  return attributes.filter(
    ({ kind, type, private: hidden }) =>
      kind === 'scalar' && hidden !== true && type !== 'password' && type !== 'json',
  )
}

interface ConditionPartsProps extends Filter {
  readonly operators: readonly string[]
  onChange(part: Partial<Filter>): void
  onRemove(): void
}

export function ConditionParts({
  name,
  operator,
  value,
  operators,
  onChange,
  onRemove,
}: ConditionPartsProps) {
  return (
    <>
      <select
        aria-label="Condition"
        value={operator}
        onChange={(event) => onChange({ operator: event.currentTarget.value })}
      >
        {operators.map((one) => (
          <option value={one}>{OPERATORS[one]}</option>
        ))}
      </select>
      {!isValueless({ operator }) && (
        <input
          aria-label="Value"
          value={value}
          onInput={(event) => onChange({ value: event.currentTarget.value })}
        />
      )}
      <button type="button" class="small" aria-label={`Remove the condition on ${name}`} onClick={onRemove}>
        ×
      </button>
    </>
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
          <ConditionParts
            {...{ name, operator, value }}
            operators={listOperatorNames(attributes.find((one) => one.name === name))}
            onChange={(part) => change(index, part)}
            onRemove={() => onChange(filters.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <button
        type="button"
        class="small"
        onClick={() => {
          const [first] = attributes
          const name = first?.name ?? 'id'
          onChange([...filters, { name, operator: listOperatorNames(first)[0] ?? '$eq', value: '' }])
        }}
      >
        Add a filter
      </button>
    </div>
  )
}
