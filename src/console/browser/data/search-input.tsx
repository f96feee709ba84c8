// The search of a list, which waits for a pause in typing.

import { Search } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { say } from '../messages.ts'
import { Icon } from '../parts/icon.tsx'

const PAUSE_MS = 200

interface SearchProps {
  readonly label: string
  readonly value: string
  onSearch(text: string): void
}

export function SearchInput({ label, value, onSearch }: SearchProps) {
  const [text, setText] = useState(value)
  const sent = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    // Only a value from elsewhere, such as another view, replaces what is being typed.
    if (value !== sent.current) setText(value)
    sent.current = value
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <label class="search">
      <span class="hidden">{say('Search')}</span>
      <Icon of={Search} />
      <input
        type="search"
        placeholder={label}
        value={text}
        onInput={(event) => {
          const next = event.currentTarget.value
          setText(next)
          clearTimeout(timer.current)
          timer.current = setTimeout(() => {
            sent.current = next
            onSearch(next)
          }, PAUSE_MS)
        }}
      />
    </label>
  )
}
