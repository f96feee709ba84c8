// Saves with the keys that editors expect.

import { useEffect, useRef } from 'preact/hooks'

/** Ctrl+S, and Cmd+S on a Mac. */
export function useSaveKeys(save: () => void): void {
  const latest = useRef(save)
  latest.current = save
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return
      event.preventDefault()
      if (document.querySelector('dialog[open]') === null) latest.current()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}
