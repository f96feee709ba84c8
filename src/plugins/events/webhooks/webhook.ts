// Parses `webhooks:` of the file, fills in defaults, and checks the names.

import { didYouMean } from '../../../lib/did-you-mean.ts'
import type { Diagnostic } from '../../../lib/errors/diagnostic.ts'
import { isRecord } from '../../../lib/is-record.ts'
import { parseDuration } from '../../../lib/parse-units.ts'
import type { ContentType } from '../../../model/content-type.ts'
import type { FeedEvent } from '../../feed.ts'

export interface Webhook {
  readonly name: string
  readonly url: string
  /** `article.publish`, `article.*`, `entry.create`, `media.*`, `*`. */
  readonly events: readonly string[]
  /** Undefined: messages are not signed. */
  readonly secret: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly retries: number
  /** Milliseconds. */
  readonly timeout: number
  readonly mayBePrivate: boolean
}

const MAX_RETRIES = 10
const TIMEOUT_MS = 10_000
/** Limited because a shutdown waits for deliveries. */
const MAX_TIMEOUT_MS = 20_000

const ACTIONS = ['create', 'update', 'delete', 'publish', 'unpublish']

/** `production`: private network addresses are refused unless the webhook allows them. */
export function parseWebhooks(given: unknown, production: boolean): readonly Webhook[] {
  if (!Array.isArray(given)) return []
  return given.filter(isRecord).map((one) => ({
    name: String(one['name'] ?? one['url']),
    url: String(one['url']),
    events: Array.isArray(one['events']) ? one['events'].map(String) : ['*'],
    secret: typeof one['secret'] === 'string' ? one['secret'] : undefined,
    headers: Object.fromEntries(
      Object.entries(isRecord(one['headers']) ? one['headers'] : {}).map(([name, value]) => [
        name.toLowerCase(),
        String(value),
      ]),
    ),
    retries: typeof one['retries'] === 'number' ? one['retries'] : MAX_RETRIES,
    timeout: getDuration(one['timeout']) ?? TIMEOUT_MS,
    mayBePrivate: one['allowPrivate'] === true || (!production && one['allowPrivate'] !== false),
  }))
}

function getDuration(value: unknown): number | undefined {
  return typeof value === 'string' || typeof value === 'number' ? parseDuration(value) : undefined
}

export function checkWebhooks(
  webhooks: readonly Webhook[],
  followed: readonly ContentType[],
  place: readonly string[],
): readonly Diagnostic[] {
  const faults: Diagnostic[] = []
  const names = new Set<string>()
  const documents = followed.some(({ document }) => document !== undefined)
  const actions = documents ? [...ACTIONS, 'draft-discard'] : ACTIONS
  const subjects = ['*', 'entry', ...followed.map(getSubject)]
  for (const [index, { name, url, events, timeout, secret }] of webhooks.entries()) {
    const fault = (key: string, message: string, help: string, ...more: readonly number[]): void => {
      const path = [...place, index, key, ...more]
      faults.push({ code: 'CFG085', severity: 'error', path, message, help })
    }
    if (!URL.canParse(url)) fault('url', 'this is no URL', 'write https://host/path')
    if (names.has(name))
      fault(
        'url',
        'another webhook has the same name',
        'give each a "name", by which its deliveries are known',
      )
    names.add(name)
    if (timeout > MAX_TIMEOUT_MS)
      fault('timeout', 'a webhook waits 20 seconds at most', 'let the receiver answer first and work later')
    if (secret !== undefined && !isKey(secret))
      fault(
        'secret',
        'the secret is no key of Standard Webhooks',
        'write "whsec_" and 24 to 64 random bytes in base64: openssl rand -base64 32',
      )
    for (const [at, pattern] of events.entries()) {
      const [subject = '', action = '*', ...rest] = pattern.split('.')
      if (!subjects.includes(subject)) {
        const meant = didYouMean(subject, subjects)
        const help =
          meant === undefined ? `there are events of ${subjects.join(', ')}` : `did you mean "${meant}"?`
        fault('events', `there are no events of "${subject}"`, help, at)
      } else if (rest.length > 0 || (action !== '*' && !actions.includes(action))) {
        fault('events', `"${pattern}" is no event`, `the events of it are ${actions.join(', ')} and *`, at)
      }
    }
  }
  return faults
}

/** 24 to 64 bytes in base64, with or without a prefix (Standard Webhooks, "Signature scheme"). */
function isKey(secret: string): boolean {
  const text = secret.replace(/^whsec_/, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 !== 0) return false
  const { length } = Buffer.from(text, 'base64')
  return length >= 24 && length <= 64
}

/** `article`, or `media` for files. */
export function getSubject({ uid, singularName }: ContentType): string {
  if (uid.startsWith('api::')) return singularName
  return singularName === 'file' ? 'media' : singularName
}

export function isWanted({ events }: Webhook, { type, action }: Pick<FeedEvent, 'type' | 'action'>): boolean {
  if (action === 'reset') return false
  const own = getSubject(type)
  return events.some((pattern) => {
    const [subject, wanted = '*'] = pattern.split('.')
    const fits = subject === '*' || subject === own || (subject === 'entry' && own !== 'media')
    return fits && (wanted === '*' || wanted === action)
  })
}
