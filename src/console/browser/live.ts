// Polls the server once a second while the tab is visible.

import { useEffect, useState } from 'preact/hooks'
import type { Home, LoginState, Model, State } from '../described.ts'
import { ask, getKeyFault, type KeyFault, logIn, logOut, RequestError, readLogin } from './server.ts'

export interface Live extends State {
  /** Undefined until the server has answered. */
  readonly login: LoginState | undefined
  /** Set while nobody is logged in. */
  readonly refused: KeyFault | undefined
  readonly gone: boolean
  /** Undefined until it is read; then the newest that is known. */
  readonly model: Model | undefined
  /** Why the last reading of the model failed. */
  readonly modelError: string | undefined
}

let live: Live = {
  login: undefined,
  refused: undefined,
  gone: false,
  model: undefined,
  modelError: undefined,
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

function isIn(login: LoginState | undefined): boolean {
  return login?.developer === true || login?.user !== undefined
}

async function look(): Promise<void> {
  try {
    if (!isIn(live.login) || live.refused !== undefined) enter(await readLogin())
    if (live.refused !== undefined) return
    const requests = watchesRequests > 0 ? `&requests=${formatNumbers(lastRequests)}` : ''
    const said = await ask<State>(`state?readings=${formatNumbers(lastReadings)}${requests}`)
    for (const { process, number } of said.readings) lastReadings.set(process, number)
    for (const { process, number } of said.requests) lastRequests.set(process, number)
    const { login, model, modelError, gone: isBack } = live
    // JSON has no undefined values, so `said` would not replace earlier ones.
    change({
      ...said,
      ...{ login, model, modelError },
      refused: undefined,
      gone: false,
      readings: [...live.readings, ...said.readings].slice(-50),
      requests: [...live.requests, ...said.requests].slice(-MAX_REQUESTS),
    })
    if (isBack) resumeModel()
  } catch (error) {
    const isOver = error instanceof RequestError && error.status === 401
    change({
      ...live,
      refused: isOver ? getKeyFault() : live.refused,
      gone: !(error instanceof RequestError),
    })
  }
}

/** Another user gets another model. While a session is over, its user stays, so that the page does, too. */
function enter(login: LoginState): void {
  const isOther = isIn(login) && live.login?.user?.id !== login.user?.id
  if (isOther) reading = undefined
  const isOver = !isIn(login) && live.refused !== undefined && live.login?.user !== undefined
  change({
    ...live,
    login: isOver ? live.login : login,
    refused: isIn(login) ? undefined : getKeyFault(),
    model: isOther ? undefined : live.model,
  })
  if (isIn(login)) resumeModel()
}

/** Rejects with `RequestError` if the server refuses. */
export async function enterWithPassword(identifier: string, password: string): Promise<void> {
  enter(await logIn(identifier, password))
  await look()
}

export async function leave(everywhere = false): Promise<void> {
  const login = await logOut(everywhere)
  change({ ...live, login, refused: getKeyFault() })
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

/** Of the model that is read, or was read last. */
let reading: { readonly generation: number } | undefined

async function readModel(generation: number): Promise<void> {
  if (generation === 0 || reading?.generation === generation) return
  const own = { generation }
  reading = own
  try {
    const model = await ask<Model>('model')
    if (reading === own) change({ ...live, model, modelError: undefined })
  } catch (error) {
    if (reading !== own) return
    reading = undefined
    change({ ...live, modelError: (error as Error).message })
  }
}

export function readModelAgain(): void {
  reading = undefined
  change({ ...live, modelError: undefined })
  void readModel(live.generation)
}

function resumeModel(): void {
  if (live.modelError !== undefined) readModelAgain()
}

/** Undefined while it is not known: `ModelWait` says why. */
export function useModel(): Model | undefined {
  const { generation, model } = useLive()
  useEffect(() => void readModel(generation), [generation])
  return model
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
    if (generation === 0) return
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
