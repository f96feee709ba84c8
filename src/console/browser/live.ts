// Polls the server once a second while the tab is visible.

import { useEffect, useState } from 'preact/hooks'
import type { Home, Model, State } from '../described.ts'
import { ask, getKeyFault, hasKey, type KeyFault, noteAcceptedKey, RequestError } from './server.ts'

export interface Live extends State {
  readonly refused: KeyFault | undefined
  readonly gone: boolean
}

let live: Live = {
  refused: undefined,
  gone: false,
  file: undefined,
  processes: 1,
  generation: 0,
  wrong: undefined,
  readings: [],
  requests: [],
}
const listeners = new Set<() => void>()
let watchesRequests = 0

const POLL_INTERVAL_MS = 1000
const MAX_REQUESTS = 300

/** By process, the number of the last reading received. */
const lastReadings = new Map<number, number>()
const lastRequests = new Map<number, number>()

function formatNumbers(last: ReadonlyMap<number, number>): string {
  return [...last].map((pair) => pair.join(':')).join(',')
}

async function look(): Promise<void> {
  if (!hasKey()) {
    change({ ...live, refused: getKeyFault() })
    return
  }
  try {
    const requests = watchesRequests > 0 ? `&requests=${formatNumbers(lastRequests)}` : ''
    const said = await ask<State>(`state?readings=${formatNumbers(lastReadings)}${requests}`)
    noteAcceptedKey()
    for (const { process, number } of said.readings) lastReadings.set(process, number)
    for (const { process, number } of said.requests) lastRequests.set(process, number)
    change({
      ...said,
      refused: undefined,
      gone: false,
      readings: [...live.readings, ...said.readings].slice(-50),
      requests: [...live.requests, ...said.requests].slice(-MAX_REQUESTS),
    })
  } catch (error) {
    change({
      ...live,
      refused: error instanceof RequestError && error.status === 401 ? getKeyFault() : undefined,
      gone: !(error instanceof RequestError),
    })
  }
}

function change(next: Live): void {
  live = next
  for (const listener of listeners) listener()
}

export async function keepLooking(): Promise<never> {
  for (;;) {
    if (document.visibilityState === 'visible') await look()
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))
  }
}

export function useLive(requests = false): Live {
  const [state, setState] = useState(live)
  useEffect(() => {
    const listener = (): void => setState(live)
    listeners.add(listener)
    listener()
    if (requests) watchesRequests += 1
    return () => {
      listeners.delete(listener)
      if (requests) watchesRequests -= 1
    }
  }, [requests])
  return state
}

let model: { readonly generation: number; readonly answer: Promise<Model> } | undefined

export function useModel(): Model | undefined {
  const { generation } = useLive()
  const [known, setKnown] = useState<Model>()
  useEffect(() => {
    if (generation === 0) return
    if (model?.generation !== generation) model = { generation, answer: ask<Model>('model') }
    const { answer: response } = model
    response.then(setKnown, () => {
      model = undefined
    })
  }, [generation])
  return known
}

export function useAsked<T>(name: string): {
  readonly value: T | undefined
  readonly error: string | undefined
  again(): void
} {
  const { generation } = useLive()
  const [count, setCount] = useState(0)
  const [state, setState] = useState<{ value?: T; error?: string }>({})
  useEffect(() => {
    let current = true
    ask<T>(name).then(
      (value) => current && setState({ value }),
      (error: Error) => current && setState({ error: error.message }),
    )
    return () => {
      current = false
    }
  }, [name, generation, count])
  return { value: state.value, error: state.error, again: () => setCount(count + 1) }
}

export function useHome(): Home | undefined {
  return useAsked<Home>('home').value
}
