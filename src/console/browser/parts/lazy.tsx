// Draws a part of a page whose code is loaded when it is first shown.

import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { say } from '../messages.ts'

interface LazyProps<Props> {
  /** The same function at each drawing. */
  load(): Promise<{ readonly default: ComponentType<Props> }>
  readonly given: Props
}

export function Lazy<Props extends object>({ load, given }: LazyProps<Props>) {
  const [loaded, setLoaded] = useState<{ readonly by: unknown; readonly Content: ComponentType<Props> }>()
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    let current = true
    setFailed(false)
    load().then(
      (module) => current && setLoaded({ by: load, Content: module.default }),
      () => current && setFailed(true),
    )
    return () => {
      current = false
    }
  }, [load])
  if (failed) return <p class="notice wrong">{say('This page could not be loaded. Reload the tab.')}</p>
  if (loaded?.by !== load) return <p class="quiet">{say('Loading …')}</p>
  return <loaded.Content {...given} />
}
