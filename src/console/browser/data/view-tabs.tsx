// The views of a list as tabs with an address: those of every type, and those that somebody saved under a name.

import { Bookmark, Ellipsis, Pencil, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'
import type { Type } from '../../described.ts'
import { useLive } from '../live.ts'
import { say } from '../messages.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { goTo } from '../route.ts'
import { readSavedViews, type SavedView, writeSavedViews } from './saved-views.ts'
import { formatView, getListAddress, type ListView, parseView } from './view-address.ts'

interface TabsProps {
  readonly type: Type
  readonly view: ListView
}

interface Naming {
  /** Undefined: a new one. */
  readonly of: SavedView | undefined
  readonly text: string
}

export function ViewTabs({ type, view }: TabsProps) {
  const person = useLive().login?.user?.username
  const [saved, setSaved] = useState(() => readSavedViews(type, person))
  const [naming, setNaming] = useState<Naming>()
  /** The page is no part of a view. */
  const current = formatView(type, { ...view, page: 1 })
  const fixed = listFixedViews(type)
  const known = [...fixed, ...saved].some(({ query }) => query === current)
  const store = (views: readonly SavedView[]): void => {
    writeSavedViews(type, views, person)
    setSaved(views)
  }
  const name = naming?.text.trim() ?? ''
  const isTaken = [...fixed, ...saved].some((one) => one.name === name && one !== naming?.of)
  return (
    <div class="views">
      <nav class="tabs" aria-label={say('Views')}>
        {fixed.map((one) => (
          <Tab {...{ type, one, current }} />
        ))}
        {saved.map((one) => (
          <span class="saved">
            <Tab {...{ type, one, current }} />
            {one.query === current && (
              <Menu
                label={say('Actions for the view {name}', { name: one.name })}
                icon={Ellipsis}
                iconOnly
                class="tab-menu"
                items={[
                  {
                    label: say('Rename'),
                    icon: Pencil,
                    act: () => setNaming({ of: one, text: one.name }),
                  },
                  {
                    label: say('Delete'),
                    icon: Trash2,
                    danger: true,
                    act: () => {
                      store(saved.filter((other) => other !== one))
                      goTo(getListAddress(type, ''))
                    },
                  },
                ]}
              />
            )}
          </span>
        ))}
      </nav>
      {!known && (
        <button type="button" class="quiet-button" onClick={() => setNaming({ of: undefined, text: '' })}>
          <Icon of={Bookmark} /> {say('Save view')}
        </button>
      )}
      {naming !== undefined && (
        <Dialog
          title={naming.of === undefined ? say('Save this view') : say('Rename the view')}
          onClose={() => setNaming(undefined)}
        >
          <form
            onSubmit={(event) => {
              event.preventDefault()
              if (name === '' || isTaken) return
              const { of } = naming
              store(
                of === undefined
                  ? [...saved, { name, query: current }]
                  : saved.map((one) => (one === of ? { ...one, name } : one)),
              )
              setNaming(undefined)
            }}
          >
            <label class="stacked">
              {say('Name')}
              <input
                required
                autofocus
                maxLength={60}
                value={naming.text}
                onInput={(event) => setNaming({ ...naming, text: event.currentTarget.value })}
              />
            </label>
            {isTaken && (
              <p class="fault error" role="alert">
                {say('There is a view with this name.')}
              </p>
            )}
            <p class="quiet">
              {say('It keeps the search, filters, order and columns, for you in this browser.')}
            </p>
            <div class="buttons end">
              <button type="button" onClick={() => setNaming(undefined)}>
                {say('Cancel')}
              </button>
              <button type="submit" class="main" disabled={name === '' || isTaken}>
                {say('Save')}
              </button>
            </div>
          </form>
        </Dialog>
      )}
    </div>
  )
}

function Tab({
  type,
  one,
  current,
}: {
  readonly type: Type
  readonly one: SavedView
  readonly current: string
}) {
  return (
    <a href={`#${getListAddress(type, one.query)}`} aria-current={one.query === current ? 'page' : undefined}>
      {one.name}
    </a>
  )
}

function listFixedViews(type: Type): readonly SavedView[] {
  const first = parseView(type, new URLSearchParams())
  const all = { name: say('All'), query: '' }
  if (!type.draftAndPublish) return [all]
  return [
    all,
    { name: say('Drafts'), query: formatView(type, { ...first, state: 'draft' }) },
    { name: say('Published'), query: formatView(type, { ...first, state: 'live' }) },
    ...(type.schedule === undefined
      ? []
      : [{ name: say('Scheduled'), query: formatView(type, { ...first, state: 'scheduled' }) }]),
  ]
}
