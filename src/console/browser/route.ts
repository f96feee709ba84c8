// Reads the page from the URL: `#/data/article/3` -> ['data', 'article', '3']. A page can hold back that it is left.

import { useEffect, useState } from 'preact/hooks'

export interface Route {
  readonly parts: readonly string[]
  readonly query: URLSearchParams
}

interface LeaveQuestion {
  isNeeded(): boolean
  /** `proceed` goes where the reader wanted to go. */
  ask(proceed: () => void): void
}

let question: LeaveQuestion | undefined
/** The address of the page that is shown, while the address bar may name another one. */
let shown = location.hash
let place = getPlace()
let allowed: string | undefined

function current(): Route {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split(/\?(.*)/s)
  return {
    parts: path
      .split('/')
      .filter((part) => part !== '')
      .map(decodeURIComponent),
    query: new URLSearchParams(query),
  }
}

export function useRoute(): Route {
  const [route, setRoute] = useState(current)
  useEffect(() => {
    const change = (): void => {
      if (!isHeld()) setRoute(current())
    }
    addEventListener('hashchange', change)
    // The address may have changed since it was drawn.
    change()
    return () => removeEventListener('hashchange', change)
  }, [])
  return route
}

export function goTo(address: string): void {
  location.hash = address
}

/** Asks before the page is left within the console, until the returned function is called. */
export function holdPage(asked: LeaveQuestion): () => void {
  question = asked
  return () => {
    if (question === asked) question = undefined
  }
}

/** Puts the address of the shown page back, and asks. */
function isHeld(): boolean {
  const wanted = location.hash
  if (wanted === shown) return true
  if (question?.isNeeded() !== true || wanted === allowed) {
    shown = wanted
    place = getPlace()
    allowed = undefined
    return false
  }
  const steps = (getPlace() ?? 0) - (place ?? 0)
  // Without the browser's list of places the page is put on top of it again, so the way back is longer.
  if (steps === 0) location.hash = shown
  else history.go(-steps)
  question.ask(() => {
    allowed = wanted
    if (steps === 0 || steps === 1) location.hash = wanted
    else history.go(steps)
  })
  return true
}

/** The number of the page in the tab's history. */
function getPlace(): number | undefined {
  return 'navigation' in window ? navigation.currentEntry?.index : undefined
}

/** Changes the address without a step in the browser's history. */
export function replaceAddress(address: string): void {
  history.replaceState(null, '', `#${address}`)
  dispatchEvent(new HashChangeEvent('hashchange'))
}
