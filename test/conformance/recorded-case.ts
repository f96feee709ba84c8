// The form of a recorded case (README.md), and the cases of an area as they stand in `recorded/cases`.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface RecordedRequest {
  readonly method: string
  /** As it is sent: nothing is encoded or decoded. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly bodyRaw?: string
  readonly multipart?: readonly MultipartField[]
}

export type MultipartField =
  | { readonly name: string; readonly value: string }
  | {
      readonly name: string
      readonly file: { readonly filename: string; readonly contentType: string; readonly base64: string }
    }

export interface RecordedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Changes of the configuration before a case, and for the rest of its group. */
export interface Setup {
  readonly advanced?: Readonly<Record<string, unknown>>
  /** Actions by role. */
  readonly grant?: Readonly<Record<string, readonly string[]>>
  readonly revoke?: Readonly<Record<string, readonly string[]>>
}

export interface RecordedCase {
  readonly id: string
  readonly area: string
  readonly title: string
  readonly variant?: string
  readonly group: string
  readonly request: RecordedRequest
  /** Null: it is run for its effect on the group. */
  readonly response: RecordedResponse | null
  readonly masks?: readonly string[]
  /** What the recording says about the case. */
  readonly note?: string
  readonly unordered?: boolean
  readonly capture?: Readonly<Record<string, string>>
  readonly setup?: Setup
  readonly quirkKeys?: readonly string[]
}

/** Where the recorded model, data and cases are. */
export const recorded = join(import.meta.dirname, 'recorded')

/** The cases of an area by group, both in their order. `folder` holds the `cases`. */
export function readGroups(area: string, folder = recorded): ReadonlyMap<string, readonly RecordedCase[]> {
  const cases: RecordedCase[] = JSON.parse(readFileSync(join(folder, 'cases', `${area}.json`), 'utf8'))
  const groups = new Map<string, RecordedCase[]>()
  for (const one of cases) {
    const group = groups.get(one.group)
    if (group === undefined) groups.set(one.group, [one])
    else group.push(one)
  }
  return groups
}
