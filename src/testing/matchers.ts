// Matchers for `expect.extend` of vitest and jest; other runners use `findRequests` and `findMails`.

import type { Cms } from '../app/cms.ts'
import type { OutboxMail } from '../plugins/mailer.ts'
import type { RecordedRequest } from './requests/request-history.ts'

/** A string must equal the whole value; a regular expression may match any part. */
export interface RequestPattern {
  readonly method?: string
  /** Without the query string. */
  readonly path?: string | RegExp
  /** Such as `{ 'filters[title]': 'New' }`; the request may have other parameters. */
  readonly query?: Readonly<Record<string, string | RegExp>>
  readonly status?: number
  /** Whether the request carried a token. */
  readonly authorized?: boolean
}

export interface MailPattern {
  readonly to?: string | RegExp
  readonly from?: string | RegExp
  readonly subject?: string | RegExp
  readonly text?: string | RegExp
}

export interface Times {
  /** By default at least one. */
  readonly times?: number
}

/** For `declare module 'vitest' { interface Matchers<T> extends CmsMatchers<T> {} }`. */
export interface CmsMatchers<R = unknown> {
  /** `'POST /api/articles'`, or a pattern. */
  toHaveBeenAsked(request: string | RequestPattern, times?: Times): R
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

/** `search` ignores the `lastIndex` of a global expression. */
function fits(wanted: string | RegExp, text: string): boolean {
  return typeof wanted === 'string' ? wanted === text : text.search(wanted) >= 0
}

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
