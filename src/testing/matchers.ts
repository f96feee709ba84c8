// Matchers for `expect.extend` of vitest and jest: what an instance was asked, and which mails it sent. For other runners,
// `findRequests` and `findMails` give what a pattern describes.

import type { Cms } from '../app/cms.ts'
import type { OutboxMail } from '../plugins/mailer.ts'
import type { RecordedRequest } from './requests/request-history.ts'

/** Texts are compared whole; a regular expression may match anywhere. What is not named may be anything. */
export interface RequestPattern {
  readonly method?: string
  /** Without the query. */
  readonly path?: string | RegExp
  /** Parameters that it has, such as `{ 'filters[title]': 'New' }`; others may be there as well. */
  readonly query?: Readonly<Record<string, string | RegExp>>
  readonly status?: number
  /** Whether it had a token. */
  readonly authorized?: boolean
}

export interface MailPattern {
  /** One of its receivers. */
  readonly to?: string | RegExp
  readonly from?: string | RegExp
  readonly subject?: string | RegExp
  readonly text?: string | RegExp
}

export interface Times {
  /** Exactly so many; by default at least one. */
  readonly times?: number
}

/** The additions of `matchers` to `expect(cms)`, for `declare module 'vitest' { interface Matchers<T> extends CmsMatchers<T> {} }`. */
export interface CmsMatchers<R = unknown> {
  /** `'POST /api/articles'`, or a pattern: the instance was asked that. */
  toHaveBeenAsked(request: string | RequestPattern, times?: Times): R
  /** The instance sent such a mail. */
  toHaveSentMail(mail: MailPattern, times?: Times): R
}

interface MatcherResult {
  readonly pass: boolean
  message(): string
}

type RequestSource = Pick<Cms, 'requests'>
type MailSource = Pick<Cms, 'outbox'>

/** `'POST /api/articles'`, `'/api/articles'`, or a pattern. */
export function findRequests(
  cms: RequestSource,
  request: string | RequestPattern,
): readonly RecordedRequest[] {
  const { method, path, query = {}, status, authorized } = buildPattern(request)
  return cms.requests.filter((one) => {
    const sent = new URLSearchParams(one.query)
    return (
      (method === undefined || one.method === method.toUpperCase()) &&
      (path === undefined || fits(path, one.path)) &&
      Object.entries(query).every(([name, value]) => sent.getAll(name).some((text) => fits(value, text))) &&
      (status === undefined || one.status === status) &&
      (authorized === undefined || one.authorized === authorized)
    )
  })
}

export function findMails(cms: MailSource, { to, from, subject, text }: MailPattern): readonly OutboxMail[] {
  return cms.outbox.filter((mail) => {
    const receivers = mail.to.split(/,\s*/)
    return (
      (to === undefined || receivers.some((one) => fits(to, one))) &&
      (from === undefined || fits(from, mail.from)) &&
      (subject === undefined || fits(subject, mail.subject)) &&
      (text === undefined || fits(text, mail.text))
    )
  })
}

/** `expect.extend(matchers)`. */
export const matchers = {
  toHaveBeenAsked(
    cms: RequestSource,
    request: string | RequestPattern,
    { times }: Times = {},
  ): MatcherResult {
    assertHas(cms, 'requests', 'toHaveBeenAsked')
    const lines = cms.requests.map(
      ({ method, path, query, status }) => `${method} ${path}${query === '' ? '' : `?${query}`} ${status}`,
    )
    return buildResult(findRequests(cms, request).length, times, `been asked ${shown(request)}`, lines)
  },
  toHaveSentMail(cms: MailSource, mail: MailPattern, { times }: Times = {}): MatcherResult {
    assertHas(cms, 'outbox', 'toHaveSentMail')
    const lines = cms.outbox.map(({ to, subject }) => `to ${to}: ${subject}`)
    return buildResult(findMails(cms, mail).length, times, `sent a mail ${shown(mail)}`, lines)
  },
} as const

function buildPattern(request: string | RequestPattern): RequestPattern {
  if (typeof request !== 'string') return request
  const [, method, path = request] = /^([A-Za-z]+) (.*)$/.exec(request) ?? []
  return method === undefined ? { path } : { method, path }
}

/** `search` begins at the start, whatever a global expression found last. */
function fits(wanted: string | RegExp, text: string): boolean {
  return typeof wanted === 'string' ? wanted === text : text.search(wanted) >= 0
}

/** Lines of what happened that a message shows. */
const MAX_LINES = 20

function buildResult(
  count: number,
  times: number | undefined,
  what: string,
  lines: readonly string[],
): MatcherResult {
  const pass = times === undefined ? count > 0 : count === times
  return {
    pass,
    message() {
      const wanted = times === undefined ? 'at least once' : `${times} times`
      const not = pass ? 'not ' : ''
      const happened =
        lines.length === 0
          ? '  nothing'
          : lines
              .slice(-MAX_LINES)
              .map((line) => `  ${line}`)
              .join('\n')
      return `expected the instance ${not}to have ${what} ${wanted}, which happened ${count} times; there was:\n${happened}`
    },
  }
}

function shown(pattern: unknown): string {
  return typeof pattern === 'string'
    ? pattern
    : JSON.stringify(pattern, (_key, value: unknown) => (value instanceof RegExp ? String(value) : value))
}

function assertHas(cms: unknown, key: string, matcher: string): void {
  if (typeof cms === 'object' && cms !== null && key in cms) return
  throw new TypeError(`${matcher}: expect() takes what createCms gave`)
}
