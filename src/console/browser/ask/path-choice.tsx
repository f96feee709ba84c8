// Chooses an attribute of a content-type or, at any depth, of its relations and components.

import type { Attribute, Model, Type } from '../../described.ts'
import { isComparable, isShown, listAttributesAlong, listMembers } from './query.ts'

interface PathProps {
  readonly type: Type
  readonly model: Model
  readonly path: string
  readonly label: string
  /** The label of the empty choice; undefined if an attribute is required. */
  readonly none?: string
  onChange(path: string): void
}

export function PathChoice({ type, model, path, label, none, onChange }: PathProps) {
  const names = path === '' ? [''] : path.split('.')
  const along = listAttributesAlong(type, model, path)
  return (
    <>
      {names.map((name, level) => {
        const schema = along[level - 1]
        const members = schema === undefined ? type.attributes : (listMembers(schema, model) ?? [])
        const before = names.slice(0, level)
        return (
          <select
            aria-label={level === 0 ? label : `${label} of ${before.join('.')}`}
            value={name}
            onChange={({ currentTarget: { value } }) => {
              const chosen = members.find((one) => one.name === value)
              onChange([...before, value, ...firstBelow(chosen, model)].join('.'))
            }}
          >
            {level === 0 && none !== undefined && <option value="">{none}</option>}
            {schema?.kind !== 'component' && <option>id</option>}
            {members.filter(isComparable).map((one) => (
              <option>{one.name}</option>
            ))}
            {members
              .filter((one) => leadsOn(one, model))
              .map((one) => (
                <option value={one.name}>{one.name} →</option>
              ))}
          </select>
        )
      })}
    </>
  )
}

function leadsOn(attribute: Attribute, model: Model): boolean {
  return isShown(attribute) && listMembers(attribute, model) !== undefined
}

function firstBelow(attribute: Attribute | undefined, model: Model): readonly string[] {
  if (attribute === undefined || attribute.kind === 'scalar') return []
  const first = listMembers(attribute, model)?.find(isComparable)
  return [first?.name ?? 'id']
}
