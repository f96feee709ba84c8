// The way to a new entry of each content-type that the caller may create.

import { ChevronDown, Plus } from 'lucide'
import type { Type } from '../../described.ts'
import { say } from '../messages.ts'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { goTo } from '../route.ts'

/** Others are in a menu. */
const MAX_BUTTONS = 5

export function NewEntries({ types }: { readonly types: readonly Type[] }) {
  const creatable = types.filter(({ kind, may }) => kind === 'collectionType' && may.includes('create'))
  if (creatable.length === 0) return null
  const [shown, others] = [creatable.slice(0, MAX_BUTTONS), creatable.slice(MAX_BUTTONS)]
  return (
    <div class="buttons new-entries" role="group" aria-label={say('New entries')}>
      {shown.map(({ name, displayName }) => (
        <a class="button" href={`#/data/${name}/new`}>
          <Icon of={Plus} /> {say('New {name}', { name: displayName })}
        </a>
      ))}
      {others.length > 0 && (
        <Menu
          label={say('New …')}
          icon={ChevronDown}
          items={others.map(({ name, displayName }) => ({
            label: displayName,
            act: () => goTo(`/data/${name}/new`),
          }))}
        />
      )}
    </div>
  )
}
