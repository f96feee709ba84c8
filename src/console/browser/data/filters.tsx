// The operators of conditions, in words, and a condition as a row of inputs.

import type { Attribute } from '../../described.ts'
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

const OF_MOMENTS: Readonly<Record<string, string>> = {
  $lt: 'is before',
  $lte: 'is not after',
  $gt: 'is after',
  $gte: 'is not before',
}

/** What the lists offer: also links, which Ask reaches by paths. */
export function listListOperators({ kind, type, enum: choices }: Attribute): readonly string[] {
  if (kind === 'relation') return ['$eq', '$null', '$notNull']
  if (kind === 'media') return ['$notNull', '$null']
  if (type === 'enumeration' || choices !== undefined) return ['$eq', '$ne', '$in', '$null', '$notNull']
  return listOperatorNames({ name: '', label: '', kind, type })
}

export function formatOperator(operator: string, type: string): string {
  const isMoment = type === 'date' || type === 'datetime' || type === 'time'
  return (isMoment ? OF_MOMENTS[operator] : undefined) ?? OPERATORS[operator] ?? operator
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
