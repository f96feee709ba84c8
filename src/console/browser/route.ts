// Reads the page from the URL: `#/data/article/3` -> ['data', 'article', '3'].

import { useEffect, useState } from 'preact/hooks'

export interface Route {
  readonly parts: readonly string[]
  readonly query: URLSearchParams
}

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
    const change = (): void => setRoute(current())
    addEventListener('hashchange', change)
    return () => removeEventListener('hashchange', change)
  }, [])
  return route
}

export function goTo(address: string): void {
  location.hash = address
}

/** Changes the address without a step in the browser's history. */
export function replaceAddress(address: string): void {
  history.replaceState(null, '', `#${address}`)
  dispatchEvent(new HashChangeEvent('hashchange'))
}
