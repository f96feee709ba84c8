// Parses a file of cases, or returns every mistake in it with its path.

import { readFileSync, statSync } from 'node:fs'
import type { Caller } from '../../app/callers.ts'
import { decodeText } from '../../config/yaml/decode-text.ts'
import { MAX_YAML_BYTES, parseYaml } from '../../config/yaml/parse-yaml.ts'
import type { SourceText } from '../../config/yaml/source-text.ts'
import { createSource } from '../../config/yaml/yaml-source.ts'
import { didYouMean } from '../../lib/did-you-mean.ts'
import type { Diagnostic, DiagnosticPath } from '../../lib/errors/diagnostic.ts'
import { isRecord } from '../../lib/is-record.ts'
import { parseDuration } from '../../lib/parse-units.ts'

export interface CaseFile {
  readonly source: SourceText
  /** The tested configuration, relative to the file of cases. */
  readonly config: string | undefined
  /** The time at which each case begins; undefined: the machine's. */
  readonly clock: Date | undefined
  readonly cases: readonly TestCase[]
  readonly diagnostics: readonly Diagnostic[]
}

export interface TestCase {
  readonly name: string
  readonly steps: readonly Step[]
}

export type Step = RequestStep | { readonly kind: 'advance'; readonly by: string | number }

export interface RequestStep {
  readonly kind: 'request'
  readonly path: DiagnosticPath
  readonly method: string
  readonly url: string
  readonly as: Caller | undefined
  readonly headers: Readonly<Record<string, string>>
  /** Undefined: no body. */
  readonly send: unknown
  /** Undefined: any success. */
  readonly status: number | undefined
  /** Undefined: any. */
  readonly body: unknown
  /** Name -> path of its value in the response: `data.id`. */
  readonly capture: Readonly<Record<string, string>>
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head'] as const
const STEP_KEYS = [...METHODS, 'as', 'headers', 'send', 'expect', 'body', 'capture', 'advance']
const FILE_KEYS = ['config', 'clock', 'cases']

/** Returns diagnostics instead of throwing. `name`: the file's name in messages. */
export function readCases(file: string, name: string): CaseFile {
  const nothing = { config: undefined, clock: undefined, cases: [] }
  const stopped = (message: string, text = ''): CaseFile => ({
    ...nothing,
    source: createSource(name, text),
    diagnostics: [{ code: 'TST001', severity: 'error', path: [], message }],
  })
  let bytes: Buffer
  try {
    const { size } = statSync(file)
    if (size > MAX_YAML_BYTES) return stopped(`${name} has ${size} bytes, more than ${MAX_YAML_BYTES}`)
    bytes = readFileSync(file)
  } catch (error) {
    return stopped(readFailure(name, error))
  }
  const { text, fault } = decodeText(bytes)
  if (fault !== undefined) return { ...nothing, source: createSource(name, text), diagnostics: [fault] }
  return parseCases(text, name)
}

export function parseCases(text: string, name: string): CaseFile {
  const { value, source, diagnostics } = parseYaml(text, name)
  if (diagnostics.length > 0) return { config: undefined, clock: undefined, cases: [], source, diagnostics }
  const found: Diagnostic[] = []
  return { ...getCases(value, found), source, diagnostics: found }
}

function readFailure(name: string, error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
    return `there is no file ${name}: name the file of cases, as in "cms-run test tests/cases.yaml"`
  return `cannot read ${name}: ${error instanceof Error ? error.message : String(error)}`
}

function getCases(value: unknown, found: Diagnostic[]): Pick<CaseFile, 'config' | 'clock' | 'cases'> {
  const fault = (path: DiagnosticPath, message: string, help?: string): void =>
    void found.push({
      code: 'TST002',
      severity: 'error',
      path,
      message,
      ...(help === undefined ? {} : { help }),
    })
  const known = (map: object, keys: readonly string[], path: DiagnosticPath): void => {
    for (const key of Object.keys(map)) {
      if (keys.includes(key)) continue
      const near = didYouMean(key, keys)
      fault(
        [...path, key],
        `unknown key "${key}"`,
        near === undefined ? `known keys: ${keys.join(', ')}` : `did you mean "${near}"?`,
      )
    }
  }
  const nothing = { config: undefined, clock: undefined, cases: [] }
  if (!isRecord(value)) {
    fault([], 'a file of cases is a map with "cases"')
    return nothing
  }
  known(value, FILE_KEYS, [])
  const { config, clock, cases = {} } = value
  if (config !== undefined && typeof config !== 'string') fault(['config'], '"config" is the path of a file')
  const moment = clock === undefined ? undefined : new Date(String(clock))
  if (moment !== undefined && Number.isNaN(moment.getTime()))
    fault(['clock'], '"clock" is a moment like 2030-05-01T10:00:00Z')
  if (!isRecord(cases)) {
    fault(['cases'], '"cases" is a map from names to lists of requests')
    return nothing
  }
  return {
    config: typeof config === 'string' ? config : undefined,
    clock: moment,
    cases: Object.entries(cases).map(([name, steps]) => {
      if (Array.isArray(steps))
        return { name, steps: steps.flatMap((step, index) => buildStep(step, ['cases', name, index])) }
      fault(['cases', name], 'a case is a list of requests')
      return { name, steps: [] }
    }),
  }

  function buildStep(step: unknown, path: DiagnosticPath): readonly Step[] {
    if (!isRecord(step)) {
      fault(path, 'a request is a map, as in "get: /api/articles"')
      return []
    }
    known(step, STEP_KEYS, path)
    const methods = METHODS.filter((method) => method in step)
    const { advance, as, headers = {}, send, expect, body, capture = {} } = step
    if (advance !== undefined) {
      const by = typeof advance === 'number' ? advance : String(advance)
      if (methods.length > 0) fault([...path, 'advance'], '"advance" stands alone')
      else if (parseDuration(by) === undefined) fault([...path, 'advance'], '"advance" is a duration like 3d')
      return [{ kind: 'advance', by }]
    }
    const [method] = methods
    if (method === undefined || methods.length > 1) {
      fault(path, `a request has one of ${METHODS.join(', ')}`)
      return []
    }
    const url = step[method]
    if (typeof url !== 'string' || !url.startsWith('/')) fault([...path, method], 'a path begins with "/"')
    if (expect !== undefined && !(Number.isInteger(expect) && Number(expect) >= 100 && Number(expect) <= 599))
      fault([...path, 'expect'], '"expect" is a status, such as 200')
    if (!isTexts(headers)) fault([...path, 'headers'], '"headers" is a map of texts')
    if (!isTexts(capture))
      fault([...path, 'capture'], '"capture" is a map from names to places, as in "id: data.id"')
    if (as !== undefined && !isCaller(as)) fault([...path, 'as'], '"as" is a user, { role } or { token }')
    return [
      {
        kind: 'request',
        path,
        method: method.toUpperCase(),
        url: String(url),
        as: isCaller(as) ? as : undefined,
        headers: isTexts(headers) ? headers : {},
        send,
        status: expect === undefined ? undefined : Number(expect),
        body,
        capture: isTexts(capture) ? capture : {},
      },
    ]
  }
}

function isTexts(value: unknown): value is Record<string, string> {
  return isRecord(value) && Object.values(value).every((one) => typeof one === 'string')
}

function isCaller(value: unknown): value is Caller {
  if (typeof value === 'string') return true
  if (!isRecord(value) || Object.keys(value).length !== 1) return false
  return typeof value['role'] === 'string' || typeof value['token'] === 'string'
}
