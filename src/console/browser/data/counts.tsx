// Counts the entries of a view by the values of an attribute; a value becomes a filter.

import { ChartColumn } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import type { Attribute, Model, Type } from '../../described.ts'
import { say } from '../messages.ts'
import { Popover } from '../parts/menu.tsx'
import { formatNumber } from './cells.tsx'
import type { Filter, View } from './load.ts'
import { type Counts, type Group, readCounts } from './load-counts.ts'

const NUMBERS = ['integer', 'biginteger', 'decimal', 'float']
const OTHERS = ['json', 'blocks', 'password', 'richtext', 'text']

function listCountable({ attributes }: Type): readonly Attribute[] {
  return attributes.filter(
    ({ kind, type, private: hidden }) => kind === 'scalar' && hidden !== true && !OTHERS.includes(type),
  )
}

interface CountsProps {
  readonly type: Type
  readonly model: Model
  readonly view: View
  onFilter(filter: Filter): void
}

export function CountsMenu({ onFilter, ...counted }: CountsProps) {
  if (listCountable(counted.type).length === 0 || !counted.type.may.includes('aggregate')) return null
  return (
    <Popover label={say('Counts')} icon={ChartColumn}>
      {(close) => (
        <div class="list">
          <CountsOfView
            {...counted}
            onFilter={(filter) => {
              close()
              onFilter(filter)
            }}
          />
        </div>
      )}
    </Popover>
  )
}

function CountsOfView({ type, model, view, onFilter }: CountsProps) {
  const attributes = listCountable(type)
  const [name, setName] = useState(attributes[0]?.name ?? '')
  const [counts, setCounts] = useState<Counts>()
  const [error, setError] = useState<string>()
  const attribute = attributes.find((one) => one.name === name)
  const isNumber = NUMBERS.includes(attribute?.type ?? '')

  useEffect(() => {
    let current = true
    setCounts(undefined)
    setError(undefined)
    readCounts(type, model, view, name, isNumber).then(
      (found) => current && setCounts(found),
      (fault: Error) => current && setError(fault.message),
    )
    return () => {
      current = false
    }
  }, [type, view, name])

  return (
    <>
      <label class="stacked">
        {say('Count by')}
        <select value={name} onChange={(event) => setName(event.currentTarget.value)}>
          {attributes.map((one) => (
            <option value={one.name}>{one.label}</option>
          ))}
        </select>
      </label>
      {error !== undefined && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      {counts?.numbers !== undefined && <p class="quiet">{sayMeasures(counts.numbers)}</p>}
      <table aria-label={say('Counts by {name}', { name: attribute?.label ?? name })}>
        <tbody>
          {counts?.groups.map((group) => (
            <tr>
              <td>
                <button type="button" class="head" onClick={() => onFilter(toFilter(name, group))}>
                  {group.value === null ? say('(empty)') : String(group.value)}
                </button>
              </td>
              <td class="number">{formatNumber(group.count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

function sayMeasures(numbers: NonNullable<Counts['numbers']>): string {
  const format = (value: number | string | null): string =>
    typeof value === 'number' ? formatNumber(value) : (value ?? '–')
  return say('min {min} · max {max} · avg {avg} · sum {sum}', {
    min: format(numbers.min),
    max: format(numbers.max),
    avg: format(numbers.avg),
    sum: format(numbers.sum),
  })
}

function toFilter(name: string, { value }: Group): Filter {
  return value === null
    ? { name, operator: '$null', value: '' }
    : { name, operator: '$eq', value: String(value) }
}
