// Calls the console's own paths and the API, with the key of a developer or as the user who is logged in.

import type { LoginFault, LoginState } from '../described.ts'
import { say } from './messages.ts'

/** The key stays in this tab, and leaves the address bar. */
export function takeKey(): void {
  const given = /^#key=(.*)$/.exec(location.hash)?.[1]
  if (given !== undefined) {
    sessionStorage.setItem('console-key', given)
    userToken = undefined
    history.replaceState(null, '', location.pathname)
  }
}

const LOGIN_FAULTS: readonly LoginFault[] = [
  'expired',
  'cancelled',
  'unverified',
  'unknown',
  'often',
  'failed',
]

/** Why a login by a provider failed, which the address says once. */
export function takeLoginFault(): LoginFault | undefined {
  const word = /^#login-failed=(\w+)$/.exec(location.hash)?.[1]
  if (word === undefined) return undefined
  history.replaceState(null, '', location.pathname)
  return LOGIN_FAULTS.find((fault) => fault === word)
}

/** Leaves for a provider, and comes back to this page. */
export function leaveForProvider(): void {
  sessionStorage.removeItem('console-key')
  sessionStorage.setItem('console-return', location.hash)
}

/** Shows the page that was left for a provider. */
export function returnFromProvider(): void {
  const hash = sessionStorage.getItem('console-return')
  if (hash === null || location.hash !== '') return
  sessionStorage.removeItem('console-return')
  history.replaceState(null, '', `${location.pathname}${hash}`)
}

function getKey(): string {
  return sessionStorage.getItem('console-key') ?? ''
}

/** Goes with every request of a user. */
let userToken: string | undefined

function setUserToken(token: string | undefined): void {
  userToken = token
}

/** Stores that the server accepted the key: a later refusal means that the server restarted. */
function noteAcceptedKey(): void {
  sessionStorage.setItem('console-key-accepted', getKey())
}

/** The key is absent, was accepted before, or was never accepted. */
export type KeyFault = 'missing' | 'expired' | 'wrong'

export function getKeyFault(): KeyFault {
  if (getKey() === '') return 'missing'
  return getKey() === sessionStorage.getItem('console-key-accepted') ? 'expired' : 'wrong'
}

/** Who is logged in, by the cookie or the key. */
export async function readLogin(): Promise<LoginState> {
  return noteLogin(await ask<LoginState>('login'))
}

/** Rejects with `RequestError` if the server refuses the password or the user. */
export async function logIn(identifier: string, password: string): Promise<LoginState> {
  sessionStorage.removeItem('console-key')
  return noteLogin(await ask<LoginState>('login', { identifier, password }))
}

export async function logOut(everywhere: boolean): Promise<LoginState> {
  return noteLogin(await ask<LoginState>(`logout${everywhere ? '?everywhere' : ''}`, {}))
}

function noteLogin(state: LoginState): LoginState {
  setUserToken(state.token)
  if (state.developer === true) noteAcceptedKey()
  return state
}

function buildCaller(): Readonly<Record<string, string>> {
  return { 'x-console-key': userToken ?? getKey() }
}

export interface Fault {
  readonly path: readonly string[]
  readonly message: string
}

/** An error response, with Strapi's error object. */
export class RequestError extends Error {
  readonly status: number
  readonly faults: readonly Fault[]
  readonly details: Readonly<Record<string, unknown>>

  constructor(status: number, error: { message?: string; details?: Record<string, unknown> } | undefined) {
    super(error?.message ?? say('the server answered {status}', { status }))
    this.status = status
    this.details = error?.details ?? {}
    this.faults = (this.details['errors'] as readonly Fault[] | undefined) ?? []
  }
}

/** Rejects with `RequestError`. */
export async function ask<T>(
  name: string,
  body?: unknown,
  method = body === undefined ? 'GET' : 'POST',
): Promise<T> {
  const answered = await fetchJson<T>(`/_console/${name}`, {
    method,
    headers: {
      ...buildCaller(),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return answered.value
}

/** Has the permissions of the caller. Rejects with `RequestError`. */
export async function api<T>(path: string, method = 'GET', body?: unknown): Promise<T> {
  return (await apiWithTag<T>(path, method, body)).value
}

interface RepeatOptions {
  /** The `Idempotency-Key`: a repeated POST with it does nothing again. */
  readonly requestKey?: string | undefined
  /** Whether the request goes on when the tab is closed. */
  readonly keepalive?: boolean
}

export interface Tagged<T> {
  readonly value: T
  /** The `ETag`, which names the version of an entry. */
  readonly tag: string | undefined
}

/** `ifMatch`: the tag of the entry that the request changes; another version is refused with 412. */
export async function apiWithTag<T>(
  path: string,
  method = 'GET',
  body?: unknown,
  ifMatch?: string,
  { requestKey, keepalive = false }: RepeatOptions = {},
): Promise<Tagged<T>> {
  const isForm = body instanceof FormData
  return fetchJson(path, {
    method,
    headers: {
      ...buildCaller(),
      ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      ...(requestKey === undefined ? {} : { 'idempotency-key': requestKey }),
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    keepalive,
  })
}

async function fetchJson<T>(path: string, init: RequestInit): Promise<Tagged<T>> {
  const response = await fetch(path, { ...init, cache: 'no-store' })
  const value = readReply<T>(response.status, await response.text())
  return { value, tag: response.headers.get('etag') ?? undefined }
}

function readReply<T>(status: number, text: string): T {
  const value: unknown = text === '' ? null : JSON.parse(text)
  if (status >= 200 && status < 300) return value as T
  throw new RequestError(status, (value as { error?: Record<string, unknown> } | null)?.error)
}

/** `onProgress`: the part that is sent, from 0 to 1, which `fetch` does not tell. Rejects with `RequestError`. */
export function sendForm<T>(path: string, form: FormData, onProgress: (part: number) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', path)
    for (const [name, value] of Object.entries(buildCaller())) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total)
    request.onerror = () => reject(new TypeError('the server does not answer'))
    request.onload = () => {
      try {
        resolve(readReply<T>(request.status, request.responseText))
      } catch (error) {
        reject(error)
      }
    }
    request.send(form)
  })
}
