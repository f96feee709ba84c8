// Shows the file, plans the changes of another text, and saves it if the file allows it.

import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { formatReport, reportItems } from '../config/format-diagnostic.ts'
import { createMask, hideSecrets } from '../config/hide-secrets.ts'
import type { SourceText } from '../config/yaml/source-text.ts'
import { getAccess, listWidenings } from '../describe/access-summary.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import type { Diagnostic } from '../lib/errors/diagnostic.ts'
import { ownPackage } from '../lib/package-root.ts'
import { planOn } from '../storage/migration/plan-database.ts'
import type { ConsoleContext } from './console-context.ts'
import type { PlannedText, ShownFile } from './described.ts'

/** If the file may not be edited, its secrets are masked. */
export async function showFile({ file, edit, check }: ConsoleContext): Promise<ShownFile> {
  const { source, diagnostics } = await check()
  const { text } = source
  const shown = edit ? text : masked(text, source.secretRanges())
  return { file, edit, text: shown, hash: computeHash(text), ...getReport(source, diagnostics) }
}

export async function readSchema(): Promise<unknown> {
  return JSON.parse(await readFile(join(ownPackage().folder, 'schemas/cms.schema.json'), 'utf8'))
}

/** Changes no data but runs the code that the text names, so it is allowed only if the file may be edited. */
export async function planText(
  { place, check, database, edit }: ConsoleContext,
  text: string,
): Promise<PlannedText> {
  if (!edit) throw new ApiError('ForbiddenError', NOT_EDITABLE)
  const checked = await check(text)
  const { source, diagnostics, secrets, config, model, actions } = checked
  if (config === undefined || model === undefined)
    return { ...getReport(source, diagnostics), changes: undefined, widenings: [] }
  const planned = await planOn(database, config, model)
  const refusals = planned.diagnostics.filter(({ severity }) => severity === 'error')
  const mask = createMask(secrets)
  return {
    ...getReport(source, [...diagnostics, ...hideSecrets(refusals, secrets)]),
    changes: planned.changes.map(({ text, mark, destructive }) => ({ text: mask(text), mark, destructive })),
    widenings: listWidenings(place().access, getAccess({ config, model, actions })).map(mask),
  }
}

const NOT_EDITABLE = 'the file may be planned and written only with "console: { edit: true }" in it'

/** `hash`: of the text that was shown, so that no other edit is overwritten. */
export async function saveText(
  { file, edit, check }: ConsoleContext,
  { text, hash }: { readonly text: string; readonly hash: string },
): Promise<unknown> {
  if (!edit || file === undefined) throw new ApiError('ForbiddenError', NOT_EDITABLE)
  const { source, diagnostics, config } = await check(text)
  if (config === undefined) {
    const { report } = getReport(source, diagnostics)
    throw new ApiError('ValidationError', 'the text has errors', { report })
  }
  if (computeHash(await readFile(file, 'utf8')) !== hash)
    throw new ApiError('ConflictError', 'the file was edited elsewhere since it was shown: load it again')
  await writeFile(file, text)
  return { hash: computeHash(text) }
}

function getReport(
  source: SourceText,
  diagnostics: readonly Diagnostic[],
): Pick<PlannedText, 'report' | 'diagnostics'> {
  return {
    report: formatReport(source, diagnostics, { colors: false }),
    diagnostics: reportItems(source, diagnostics),
  }
}

function computeHash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Replaces every character of a secret except line breaks with a point, so that positions stay. */
function masked(text: string, ranges: readonly (readonly [start: number, end: number])[]): string {
  let shown = text
  for (const [start, end] of ranges)
    shown = shown.slice(0, start) + shown.slice(start, end).replaceAll(/[^\n]/g, '•') + shown.slice(end)
  return shown
}
