// Plans a text in place of the file's: its faults, the changes of the database, and who gains access.

import { createHash } from 'node:crypto'
import type { Config } from '../config/config.ts'
import { formatReport, reportItems } from '../config/format-diagnostic.ts'
import { createMask, hidePrivateValues, hideSecrets } from '../config/hide-secrets.ts'
import type { SourceText } from '../config/yaml/source-text.ts'
import { type AccessSummary, getAccess, listWidenings } from '../describe/access-summary.ts'
import type { Diagnostic } from '../lib/errors/diagnostic.ts'
import type { Model } from '../model/model.ts'
import type { Database } from '../storage/database.ts'
import { planOn } from '../storage/migration/plan-database.ts'

export interface CheckedText {
  readonly source: SourceText
  readonly diagnostics: readonly Diagnostic[]
  /** Texts that must not be shown. */
  readonly secrets: ReadonlySet<string>
  /** Both undefined when the text has errors. */
  readonly config: Config | undefined
  readonly model: Model | undefined
  readonly actions: ReadonlySet<string>
}

interface TextPlan extends TextReport {
  /** Undefined when the text has errors. */
  readonly changes:
    | readonly { readonly text: string; readonly mark: string; readonly destructive: boolean }[]
    | undefined
  readonly widenings: readonly string[]
}

interface TextReport {
  readonly report: string
  readonly diagnostics: ReturnType<typeof reportItems>
}

/** Changes no data. `access`: what the current configuration allows. */
export async function planText(
  checked: CheckedText,
  database: Database,
  access: AccessSummary,
): Promise<TextPlan> {
  const { source, diagnostics, secrets, config, model, actions } = checked
  if (config === undefined || model === undefined)
    return { ...writeReport(source, diagnostics), changes: undefined, widenings: [] }
  const planned = await planOn(database, config, model)
  const refusals = planned.diagnostics.filter(({ severity }) => severity === 'error')
  const mask = createMask(secrets)
  return {
    ...writeReport(source, [...diagnostics, ...hideSecrets(refusals, secrets)]),
    changes: planned.changes.map(({ text, mark, destructive }) => ({ text: mask(text), mark, destructive })),
    widenings: listWidenings(access, getAccess({ config, model, actions })).map(mask),
  }
}

/** Messages quote values of `data`, so those that the lines beside them mask are masked in them, too. */
export function writeReport(source: SourceText, found: readonly Diagnostic[]): TextReport {
  const diagnostics = found.length === 0 ? found : hidePrivateValues(found, new Set(source.secretTexts()))
  return {
    report: formatReport(source, diagnostics, { colors: false }),
    diagnostics: reportItems(source, diagnostics),
  }
}

export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Replaces every character of a secret, or of a private value under `data`, except line breaks with a point: positions stay. */
export function maskText(source: SourceText): string {
  let shown = source.text
  for (const [start, end] of source.secretRanges())
    shown = shown.slice(0, start) + shown.slice(start, end).replaceAll(/[^\n]/g, '•') + shown.slice(end)
  return shown
}
