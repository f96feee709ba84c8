// Shows the file, plans the changes of another text, and saves it if the file allows it.

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hashText, maskText, planText, writeReport } from '../file-edits/plan-text.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import { ownPackage } from '../lib/package-root.ts'
import type { ConsoleContext } from './console-context.ts'
import type { PlannedText, ShownFile } from './described.ts'

/** If the file may not be edited, its secrets are masked. */
export async function showFile({ file, edit, check }: ConsoleContext): Promise<ShownFile> {
  const { source, diagnostics } = await check()
  const { text } = source
  const shown = edit ? text : maskText(source)
  return { file, edit, text: shown, hash: hashText(text), ...writeReport(source, diagnostics) }
}

export async function readSchema(): Promise<unknown> {
  return JSON.parse(await readFile(join(ownPackage().folder, 'schemas/cms.schema.json'), 'utf8'))
}

/** Changes no data but runs the code that the text names, so it is allowed only if the file may be edited. */
export async function planSentText(
  { place, check, database, edit }: ConsoleContext,
  text: string,
): Promise<PlannedText> {
  if (!edit) throw new ApiError('ForbiddenError', NOT_EDITABLE)
  return planText(await check(text), database, place().access)
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
    const { report } = writeReport(source, diagnostics)
    throw new ApiError('ValidationError', 'the text has errors', { report })
  }
  if (hashText(await readFile(file, 'utf8')) !== hash)
    throw new ApiError('ConflictError', 'the file was edited elsewhere since it was shown: load it again')
  await writeFile(file, text)
  return { hash: hashText(text) }
}
