// One recorded case -> what came of it: setup, placeholders, the request, captures, and the comparison.

import { type Answer, type Comparison, compareAnswers, type Likeness } from './compare.ts'
import { authorizationOf } from './credentials.ts'
import type { RecordedCase, RecordedRequest } from './recorded-case.ts'
import type { RecordedCms } from './recorded-cms.ts'
import { createRenumbering, type Renumbering } from './renumbering.ts'
import { bodyOf } from './request-bytes.ts'
import type { RawRequest, Send } from './send.ts'

export interface CaseResult {
  readonly one: RecordedCase
  /** Undefined where the door could not send the request. */
  readonly ours: Answer | undefined
  readonly comparison: Comparison | undefined
}

/** What one case leaves for the next ones of its group. */
export interface GroupState {
  readonly captured: Map<string, string>
  readonly renumbering: Renumbering
}

export function startGroup({ largestSeeded, components }: RecordedCms, likeness?: Likeness): GroupState {
  // Where ids are those of rows, cases take the ones of components from earlier answers.
  const followed = likeness?.anyRowId === true ? new Set<string>() : components
  return { captured: new Map(), renumbering: createRenumbering(largestSeeded, followed) }
}

export async function runCase(
  one: RecordedCase,
  recordedCms: RecordedCms,
  send: Send,
  { captured, renumbering }: GroupState,
  likeness?: Likeness,
): Promise<CaseResult> {
  if (one.setup !== undefined) await recordedCms.apply(one.setup)
  const request = renumbering.ours(replaced(one.request, captured))
  const answer = await send(await rawRequest(request, recordedCms))
  if (answer === undefined) return { one, ours: undefined, comparison: undefined }
  const ours = renumbering.asRecorded(one, answer)
  for (const [name, path] of Object.entries(one.capture ?? {})) {
    const value = path.startsWith('outbox:')
      ? inLastMail(recordedCms, path.slice('outbox:'.length))
      : valueAt(ours.body, path)
    if (value !== undefined) captured.set(name, String(value))
  }
  return { one, ours, comparison: compareAnswers(one, ours, recordedCms, likeness) }
}

async function rawRequest(request: RecordedRequest, { secrets }: RecordedCms): Promise<RawRequest> {
  const { bytes, contentType } = bodyOf(request)
  const headers: Record<string, string> = contentType === undefined ? {} : { 'content-type': contentType }
  for (const [name, value] of Object.entries(request.headers)) {
    const key = name.toLowerCase()
    headers[key] = key === 'authorization' ? await authorizationOf(value, secrets) : value
  }
  return { method: request.method, target: request.path, headers, bytes }
}

/** `{{name}}`, anywhere, is what was kept under that name. */
function replaced<T>(value: T, captured: ReadonlyMap<string, string>): T {
  if (captured.size === 0) return value
  const text = JSON.stringify(value).replace(/\{\{(\w+)\}\}/g, (all, name: string) => {
    const kept = captured.get(name)
    return kept === undefined ? all : JSON.stringify(kept).slice(1, -1)
  })
  return JSON.parse(text) as T
}

function inLastMail({ cms }: RecordedCms, pattern: string): string | undefined {
  return new RegExp(pattern).exec(cms.outbox.at(-1)?.text ?? '')?.[1]
}

function valueAt(body: unknown, path: string): unknown {
  let value = body
  for (const key of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[key]
  return value
}
