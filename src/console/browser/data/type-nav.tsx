// The way to the content-types, in groups, with a filter where there are many.

import { useEffect, useRef, useState } from 'preact/hooks'
import type { Type } from '../../described.ts'
import { say } from '../messages.ts'

const MAX_UNFILTERED_TYPES = 15

interface NavProps {
  readonly types: readonly Type[]
  readonly current: Type | undefined
}

export function TypeNav({ types, current }: NavProps) {
  const [text, setText] = useState('')
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    const [list, link] = [nav.current, nav.current?.querySelector<HTMLElement>('[aria-current]')]
    if (list === null || link === null || link === undefined) return
    // Only the list moves: `scrollIntoView` would move the page, too.
    const [outer, inner] = [list.getBoundingClientRect(), link.getBoundingClientRect()]
    list.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2
    list.scrollLeft += inner.left - outer.left - (outer.width - inner.width) / 2
  }, [current?.uid])
  const words = text.trim().toLowerCase()
  const found = types.filter(({ displayName, name }) =>
    `${displayName} ${name}`.toLowerCase().includes(words),
  )
  const groups = [
    { label: say('Collections'), types: found.filter(({ kind }) => kind === 'collectionType') },
    { label: say('Single pages'), types: found.filter(({ kind }) => kind === 'singleType') },
  ].filter((group) => group.types.length > 0)
  return (
    <div class="type-nav">
      {types.length > MAX_UNFILTERED_TYPES && (
        <input
          type="search"
          aria-label={say('Find a content-type')}
          placeholder={say('Find one of {count}', { count: types.length })}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            const [first] = groups.flatMap((group) => group.types)
            if (event.key === 'Enter' && words !== '' && first !== undefined)
              location.hash = `/data/${first.name}`
          }}
        />
      )}
      <nav class="side" aria-label={say('Content-types')} ref={nav}>
        {groups.map(({ label, types: members }) => (
          <>
            {groups.length > 1 && <span class="group-label">{label}</span>}
            {members.map((one) => (
              <a href={`#/data/${one.name}`} aria-current={one === current ? 'page' : undefined}>
                {one.displayName}
              </a>
            ))}
          </>
        ))}
        {found.length === 0 && <span class="quiet">{say('Nothing found')}</span>}
      </nav>
    </div>
  )
}
