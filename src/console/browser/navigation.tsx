// The links to all pages: a rail at the side, on a phone a row with a menu.

import { CircleAlert, CircleCheck, type IconNode, Menu, Search } from 'lucide'
import { useState } from 'preact/hooks'
import { useLive } from './live.ts'
import { say } from './messages.ts'
import { Dialog } from './parts/dialog.tsx'
import { Icon } from './parts/icon.tsx'

export interface PageLink {
  readonly name: string
  readonly icon: IconNode
  /** The pages for developers are a second group. */
  readonly developer: boolean
  /** Said when it is drawn: the messages are not there before. */
  title(): string
}

interface NavigationProps {
  readonly pages: readonly PageLink[]
  readonly current: PageLink | undefined
  /** Undefined while there is nothing to search. */
  readonly onSearch: (() => void) | undefined
}

export function Navigation({ pages, current, onSearch }: NavigationProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <header class="rail">
        <a class="brand" href="#/">
          cms-run
        </a>
        <p class="page-name">{current?.title() ?? say('Not found')}</p>
        {onSearch !== undefined && (
          <button
            type="button"
            class="rail-item"
            aria-label={say('Search')}
            title={say('Search ({keys})', { keys: isApple() ? '⌘K' : say('Ctrl+K') })}
            onClick={onSearch}
          >
            <Icon of={Search} size={20} />
            <span>{say('Search')}</span>
          </button>
        )}
        <Links pages={pages} current={current} />
        <FileState />
        <button
          type="button"
          class="rail-item menu-button"
          aria-label={say('Menu')}
          aria-haspopup="dialog"
          aria-expanded={open}
          onClick={() => setOpen(true)}
        >
          <Icon of={Menu} size={22} />
        </button>
      </header>
      {open && (
        <Dialog title={say('Pages')} onClose={() => setOpen(false)}>
          <div class="menu-of-pages">
            <Links pages={pages} current={current} onFollow={() => setOpen(false)} />
            <FileState onFollow={() => setOpen(false)} />
          </div>
        </Dialog>
      )}
    </>
  )
}

interface LinksProps {
  readonly pages: readonly PageLink[]
  readonly current: PageLink | undefined
  onFollow?(): void
}

function Links({ pages, current, onFollow }: LinksProps) {
  const groups = [pages.filter(({ developer }) => !developer), pages.filter(({ developer }) => developer)]
  return (
    <nav aria-label={say('Pages')}>
      {groups.map((group) => (
        <div class="group-of-pages">
          {group.map((one) => (
            <a
              class="rail-item"
              href={`#/${one.name}`}
              aria-current={one === current ? 'page' : undefined}
              onClick={onFollow}
            >
              <Icon of={one.icon} size={20} />
              {one.title()}
            </a>
          ))}
        </div>
      ))}
    </nav>
  )
}

const READINGS = '#/live'

function FileState({ onFollow }: { onFollow?(): void }) {
  const { file, wrong, gone, generation } = useLive()
  if (generation === 0 || file === undefined) return null
  const isGood = wrong === undefined && !gone
  const name = file.split('/').at(-1) ?? file
  return (
    <a class={`file-state ${isGood ? 'good' : 'bad'}`} href={READINGS} onClick={onFollow}>
      <Icon of={isGood ? CircleCheck : CircleAlert} size={16} />
      <span>
        {wrong === undefined
          ? say('{file} is valid', { file: name })
          : say('{file} has errors', { file: name })}
      </span>
    </a>
  )
}

function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.platform)
}
