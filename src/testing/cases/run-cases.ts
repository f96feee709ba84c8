// Runs cases against a configuration in memory, each on a fork of one start, several at a time.

import { performance } from 'node:perf_hooks'
import type { Cms } from '../../app/cms.ts'
import type { Diagnostic } from '../../lib/errors/diagnostic.ts'
import { isRecord } from '../../lib/is-record.ts'
import { type DiffLine, getDiff } from './diff-body.ts'
import { listDifferences } from './match-body.ts'
import type { RequestStep, TestCase } from './parse-cases.ts'

export interface CaseResult {
  readonly name: string
  readonly diagnostics: readonly Diagnostic[]
  /** Undefined if the body is right. */
  readonly diff: readonly DiffLine[] | undefined
  readonly milliseconds: number
}

interface Failure {
  readonly diagnostics: readonly Diagnostic[]
  readonly diff?: readonly DiffLine[]
}

/** Forks at the same time, each with a memory of its own. */
const MAX_PARALLEL_CASES = 4

/** In the order of the cases. */
export async function runCases(cms: Cms, cases: readonly TestCase[]): Promise<readonly CaseResult[]> {
  const results: CaseResult[] = []
  const waiting = [...cases.entries()]
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, one] = next
      results[index] = await runCase(cms, one)
    }
  }
  await Promise.all(Array.from({ length: MAX_PARALLEL_CASES }, work))
  return results
}

/** Stops at the first unexpected response. */
export async function runCase(cms: Cms, { name, steps }: TestCase): Promise<CaseResult> {
  const start = performance.now()
  const ended = (failure?: Failure): CaseResult => ({
    name,
    diagnostics: failure?.diagnostics ?? [],
    diff: failure?.diff,
    milliseconds: performance.now() - start,
  })
  await using fork = await cms.fork()
  const captured = new Map<string, unknown>()
  for (const step of steps) {
    if (step.kind === 'advance') {
      fork.advance(step.by)
      continue
    }
    const failure = await askStep(fork, step, captured)
    if (failure !== undefined) return ended(failure)
  }
  return ended()
}

export type CaseRequest = Pick<Cms, 'fetch' | 'as'>

/** Undefined: as expected. */
export async function askStep(
  cms: CaseRequest,
  step: RequestStep,
  captured: Map<string, unknown>,
): Promise<Failure | undefined> {
  const { path, method, as, status } = step
  const fault = (at: readonly (string | number)[], message: string): Diagnostic => ({
    code: 'TST003',
    severity: 'error',
    path: [...path, ...at],
    message,
  })
  const failed = (at: readonly (string | number)[], message: string): Failure => ({
    diagnostics: [fault(at, message)],
  })
  const url = String(filled(step.url, captured, encodeURIComponent))
  const headers = new Headers(
    Object.entries(step.headers).map(([name, text]) => [name, String(filled(text, captured))]),
  )
  const init: RequestInit = { method, headers }
  if (step.send !== undefined) {
    if (!headers.has('content-type')) headers.set('content-type', 'application/json')
    init.body = JSON.stringify(filled(step.send, captured))
  }
  let response: Response
  try {
    response = await (as === undefined ? cms.fetch : cms.as(as))(url, init)
  } catch (error) {
    return failed(
      [method.toLowerCase()],
      `${method} ${url}: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
  const text = await response.text()
  const body = parsed(text)
  const right = status === undefined ? response.ok : response.status === status
  if (!right) {
    const said = isRecord(body) && isRecord(body['error']) ? `: ${String(body['error']['message'])}` : ''
    const wanted = status === undefined ? 'a success' : String(status)
    const at = status === undefined ? method.toLowerCase() : 'expect'
    return failed([at], `${method} ${url} is answered with ${response.status}, not ${wanted}${said}`)
  }
  if (step.body !== undefined) {
    const expected = filled(step.body, captured)
    const differences = listDifferences(expected, body)
    if (differences.length > 0)
      return {
        diagnostics: differences.map(({ path: at, message }) =>
          fault(['body', ...at], `${method} ${url}: ${message}`),
        ),
        diff: getDiff(expected, body),
      }
  }
  for (const [name, place] of Object.entries(step.capture)) {
    const value = valueAt(body, place)
    if (value === undefined)
      return failed(['capture', name], `${method} ${url}: the response has no ${place}`)
    captured.set(name, value)
  }
  return undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** `data[0].id`, `data.0.id`. */
function valueAt(body: unknown, place: string): unknown {
  let value = body
  for (const step of place.split(/[.[\]]+/).filter((one) => one !== '')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Record<string, unknown>)[step]
  }
  return value
}

const REFERENCE = /\{\{\s*(\w+)\s*\}\}/g

/** Inserts captured values; a text that is only a placeholder becomes the value itself. */
function filled(
  value: unknown,
  captured: ReadonlyMap<string, unknown>,
  encode: (text: string) => string = String,
): unknown {
  if (typeof value === 'string') {
    const [whole, name = ''] = /^\{\{\s*(\w+)\s*\}\}$/.exec(value) ?? []
    if (whole !== undefined && captured.has(name)) return captured.get(name)
    return value.replaceAll(REFERENCE, (text, one: string) =>
      captured.has(one) ? encode(String(captured.get(one))) : text,
    )
  }
  if (Array.isArray(value)) return value.map((one) => filled(one, captured, encode))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one, captured, encode)]))
}
