// Plans edits of the file: the new text, its faults, and what must be allowed by name before it is written.

import { createHmac } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { deriveSecret } from '../access/process-secret.ts'
import type { Config } from '../config/config.ts'
import { parseYaml } from '../config/yaml/parse-yaml.ts'
import { type AccessSummary, getAccess, listWidenings } from '../describe/access-summary.ts'
import { isRecord } from '../lib/is-record.ts'
import type { Model } from '../model/model.ts'
import { enablePlugins, listContributions } from '../plugins/plugin-host.ts'
import type { Database } from '../storage/database.ts'
import { toLongForm } from '../write/seeding/data-in-long-form.ts'
import { type CheckedText, maskText, planText } from './plan-text.ts'

export interface EditPlan {
  /** The changed lines, with secrets masked. */
  readonly lines: readonly string[]
  /** Empty if the text can be used. */
  readonly faults: string
  readonly warnings: string
  /** Changes of the database. */
  readonly changes: readonly string[]
  /** Sentences that the call that applies the plan must repeat. */
  readonly mustAllow: readonly string[]
  /** Proves that this plan was made; undefined with faults. */
  readonly token: string | undefined
}

export interface PlanOptions {
  readonly database: Database
  check(text: string): Promise<CheckedText>
  /** Stores the entries of `data`, too, as a start would. */
  checkWithData(text: string): Promise<CheckedText>
  readonly live: { readonly config: Config; readonly model: Model; readonly access: AccessSummary }
}

/** `steps`: the text of the file, and the text after each change. */
export async function planEdits(steps: readonly string[], options: PlanOptions): Promise<EditPlan> {
  const { database, check, checkWithData, live } = options
  const [before = '', after = ''] = [steps[0], steps.at(-1)]
  // An attribute that an edit makes public stays hidden until the edit is applied.
  const sources = steps.map((step) => parseYaml(step, 'the file').source)
  const names = new Set(sources.flatMap((source) => [...source.privateNames()]))
  for (const source of sources) source.hide(() => names)
  const shown = sources.map(maskText)
  const lines = shown.slice(1).flatMap((text, index) => diffLines(shown[index] ?? '', text))
  const [was, is] = [await check(before), await checkWithData(after)]
  is.source.hide(() => names)
  const planned = await planText(is, database, live.access)
  const base = isUsable(was) ? was : live
  const errors = planned.diagnostics.some(({ severity }) => severity === 'error')
  const unsafe = isUsable(is) ? listUnsafe(base, is) : []
  const common = { lines, changes: (planned.changes ?? []).map(({ mark, text }) => `${mark} ${text}`) }
  if (errors || planned.changes === undefined || unsafe.length > 0)
    return {
      ...common,
      faults: [...unsafe, ...(errors ? [planned.report] : [])].join('\n'),
      ...{ warnings: '', mustAllow: [], token: undefined },
    }
  // The file may be ahead of the running server.
  const ofFile = isUsable(was) && isUsable(is) ? listWidenings(getAccess(was), getAccess(is)) : []
  const dropped = planned.changes.filter(({ destructive }) => destructive).map(({ text }) => `drops: ${text}`)
  const mustAllow = [...new Set([...planned.widenings, ...ofFile, ...dropped])]
  return {
    ...common,
    ...{ faults: '', warnings: planned.report, mustAllow },
    token: createHmac('sha256', deriveSecret('plans of edits'))
      .update(JSON.stringify([before, after, common.changes, mustAllow]))
      .digest('base64url'),
  }
}

type Usable = CheckedText & { readonly config: Config; readonly model: Model }

function isUsable(checked: CheckedText): checked is Usable {
  return checked.config !== undefined && checked.model !== undefined
}

/** Edits of agents name no code, no files and no users: who writes these decides over the machine and over logins. */
function listUnsafe(
  before: Pick<Usable, 'config' | 'model'>,
  after: Pick<Usable, 'config' | 'model'>,
): readonly string[] {
  const found: string[] = []
  for (const [uid, { rest, lifecycles }] of Object.entries(after.config.contentTypes)) {
    const known = before.config.contentTypes[uid]
    const [had, has] = [
      [known?.rest.config ?? {}, known?.lifecycles],
      [rest.config, lifecycles],
    ]
    if (!isDeepStrictEqual(had, has))
      found.push(`"rest.config" and "lifecycles" of ${uid} name code: edit them by hand.`)
  }
  const [had, has] = [listEntries(before), listEntries(after)]
  const knownFiles = new Set(listFiles(had))
  const newFiles = listFiles(has).filter((file) => !knownFiles.has(file))
  if (newFiles.length > 0)
    found.push(`Edits name no files (${newFiles.slice(0, 3).join(', ')}): write them by hand.`)
  const listUsers = (
    { config, model }: Pick<Usable, 'config' | 'model'>,
    entries: Config['data'],
  ): unknown => [config.auth.users, entries[model.userType?.uid ?? '']]
  if (!isDeepStrictEqual(listUsers(before, had), listUsers(after, has)))
    found.push('Edits make and change no users: write them by hand.')
  return found
}

/** With the entries that stand within others. */
function listEntries({ config, model }: Pick<Usable, 'config' | 'model'>): Config['data'] {
  const given = listContributions(enablePlugins(config)).flatMap(({ entries }) => entries ?? [])
  return toLongForm(config, model, given, 0)
}

function listFiles(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(listFiles)
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'file' && typeof inner === 'string' ? [inner] : listFiles(inner),
  )
}

/** Each change is in one place. */
function diffLines(before: string, after: string): readonly string[] {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const shared = Math.min(old.length, now.length)
  let start = 0
  while (start < shared && old[start] === now[start]) start++
  let end = 0
  while (end < shared - start && old.at(-1 - end) === now.at(-1 - end)) end++
  return [
    ...old.slice(start, old.length - end).map((line) => `- ${line}`),
    ...now.slice(start, now.length - end).map((line) => `+ ${line}`),
  ]
}
