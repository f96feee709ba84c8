// Chooses the populated fields at any depth.

import type { Attribute, Model } from '../../described.ts'
import { listAttributes } from '../data/values.ts'
import { isShown, listMembers, type Populate } from './query.ts'

interface PopulateProps {
  readonly attributes: readonly Attribute[]
  readonly model: Model
  readonly chosen: Populate
  readonly path: readonly string[]
  onChange(chosen: Populate): void
}

export function PopulateChoice({ attributes, model, chosen, path, onChange }: PopulateProps) {
  const links = attributes.filter((one) => one.kind !== 'scalar' && isShown(one))
  return (
    <>
      {links.map((attribute) => {
        const { name } = attribute
        const { [name]: below, ...others } = chosen
        const full = [...path, name]
        return (
          <div class="populated">
            <label class="check">
              <input
                type="checkbox"
                aria-label={full.join('.')}
                checked={below !== undefined}
                onChange={() => onChange(below === undefined ? { ...others, [name]: {} } : others)}
              />{' '}
              {name}
            </label>
            {below !== undefined && (
              <Below
                {...{ attribute, model, chosen: below, path: full }}
                onChange={(next) => onChange({ ...chosen, [name]: next })}
              />
            )}
          </div>
        )
      })}
    </>
  )
}

interface BelowProps extends Omit<PopulateProps, 'attributes'> {
  readonly attribute: Attribute
}

function Below({ attribute, model, chosen, path, onChange }: BelowProps) {
  if (attribute.kind !== 'dynamiczone') {
    const attributes = listMembers(attribute, model) ?? []
    if (!attributes.some(({ kind }) => kind !== 'scalar')) return null
    return (
      <div class="below-it">
        <PopulateChoice {...{ attributes, model, chosen, path, onChange }} />
      </div>
    )
  }
  const parts = (attribute.components ?? []).filter((uid) =>
    listAttributes(model, uid).some(({ kind }) => kind !== 'scalar'),
  )
  return (
    <div class="below-it">
      {parts.map((uid) => (
        <div class="populated">
          <span class="kind">{uid}</span>
          <div class="below-it">
            <PopulateChoice
              attributes={listAttributes(model, uid)}
              {...{ model, path: [...path, uid] }}
              chosen={chosen[uid] ?? {}}
              onChange={(next) => onChange({ ...chosen, [uid]: next })}
            />
          </div>
        </div>
      ))}
    </div>
  )
}
