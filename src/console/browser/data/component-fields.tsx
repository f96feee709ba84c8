// The fields of components and dynamic zones, nested in a form: one, or a list of cards in order.

import { Plus, Trash2 } from 'lucide'
import { say } from '../messages.ts'
import { Icon } from '../parts/icon.tsx'
import { ComponentCards } from './component-cards.tsx'
import type { FieldProps } from './fields.tsx'
import { InsideFields } from './inside-fields.tsx'
import type { Values } from './values.ts'

interface ComponentProps extends Omit<FieldProps, 'value'> {
  readonly value: Values | readonly Values[] | null | undefined
}

export function ComponentField(props: ComponentProps) {
  const { attribute, value, onChange } = props
  const { component: uid = '', label } = attribute
  if (attribute.many === true)
    return (
      <ComponentCards
        {...props}
        items={(value ?? []) as readonly Values[]}
        getUid={() => uid}
        choices={[uid]}
        make={() => ({})}
      />
    )
  if (value === null || value === undefined)
    return (
      <button type="button" onClick={() => onChange({})}>
        <Icon of={Plus} /> {say('Add {name}', { name: label })}
      </button>
    )
  return (
    <>
      <InsideFields {...props} uid={uid} value={value as Values} />
      {attribute.required !== true && (
        <button type="button" class="small" onClick={() => onChange(null)}>
          <Icon of={Trash2} size={14} /> {say('Remove {name}', { name: label })}
        </button>
      )}
    </>
  )
}

export function ZoneField(props: Omit<FieldProps, 'value'> & { readonly value: readonly Values[] }) {
  return (
    <ComponentCards
      {...props}
      items={props.value}
      getUid={(item) => String(item['__component'])}
      choices={props.attribute.components ?? []}
      make={(uid) => ({ __component: uid })}
    />
  )
}
