// The operators of conditions, in words, and a condition as a row of inputs.

import type { Attribute } from '../../described.ts'
import { say } from '../messages.ts'
import { type Filter, isValueless } from './load.ts'

const TEXTS = ['$containsi', '$eq', '$ne', '$startsWith', '$endsWith', '$in', '$null', '$notNull']
const ORDERED = ['$eq', '$ne', '$lt', '$lte', '$gt', '$gte', '$null', '$notNull']

export function listOperatorNames(attribute: Attribute | undefined): readonly string[] {
  const { type = 'integer' } = attribute ?? {}
  if (type === 'boolean') return ['$eq', '$ne', '$null', '$notNull']
  return ['string', 'text', 'richtext', 'email', 'uid', 'enumeration'].includes(type) ? TEXTS : ORDERED
}

/** What the lists offer: also links, which Ask reaches by paths. */
export function listListOperators({ kind, type, enum: choices }: Attribute): readonly string[] {
  if (kind === 'relation') return ['$eq', '$null', '$notNull']
  if (kind === 'media') return ['$notNull', '$null']
  if (type === 'enumeration' || choices !== undefined) return ['$eq', '$ne', '$in', '$null', '$notNull']
  return listOperatorNames({ name: '', label: '', kind, type })
}

export function formatOperator(operator: string, type = ''): string {
  const isMoment = type === 'date' || type === 'datetime' || type === 'time'
  switch (operator) {
    case '$containsi':
      return say('contains')
    case '$eq':
      return say('is')
    case '$ne':
      return say('is not')
    case '$startsWith':
      return say('begins with')
    case '$endsWith':
      return say('ends with')
    case '$in':
      return say('is one of')
    case '$lt':
      return isMoment ? say('is before') : say('is less than')
    case '$lte':
      return isMoment ? say('is not after') : say('is at most')
    case '$gt':
      return isMoment ? say('is after') : say('is greater than')
    case '$gte':
      return isMoment ? say('is not before') : say('is at least')
    case '$null':
      return say('is empty')
    case '$notNull':
      return say('is not empty')
    default:
      return operator
  }
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
        aria-label={say('Condition')}
        value={operator}
        onChange={(event) => onChange({ operator: event.currentTarget.value })}
      >
        {operators.map((one) => (
          <option value={one}>{formatOperator(one)}</option>
        ))}
      </select>
      {!isValueless({ operator }) && (
        <input
          aria-label={say('Value')}
          value={value}
          onInput={(event) => onChange({ value: event.currentTarget.value })}
        />
      )}
      <button
        type="button"
        class="small"
        aria-label={say('Remove the condition on {name}', { name })}
        onClick={onRemove}
      >
        ×
      </button>
    </>
  )
}
