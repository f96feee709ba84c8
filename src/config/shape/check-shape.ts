// Checks parsed data against `schemas/cms.schema.json`.

import type { Diagnostic, DiagnosticPath } from '../../lib/errors/diagnostic.ts'
import { validate } from '../generated/validate-config.js'
import { isSecretPath } from '../secret-paths.ts'
import type { ExpandedConfig } from '../shorthand/expand-shorthands.ts'
import { listDiagnostics } from './shape-diagnostic.ts'
import { listShapeFaults, type ShapeFault } from './shape-fault.ts'

interface CheckedShape {
  readonly value: unknown
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Restores strings where the schema requires text, because strings from the environment were converted as
 * YAML would read them (`8080` to a number). Changes `value`, which is the interpolation's own copy.
 */
export function checkShape({
  value,
  interpolated,
  names,
}: Pick<ExpandedConfig, 'value' | 'interpolated' | 'names'>): CheckedShape {
  const texts = new Map(
    interpolated.filter(({ text, typed }) => text !== typed).map((item) => [buildKey(item.path), item]),
  )
  for (const { path, text } of texts.values()) if (isSecretPath(path)) replaceAt(value, path, text)
  let faults = listFaults(value)
  let replaced = false
  for (const fault of faults) {
    const item = wantsText(fault) ? texts.get(buildKey(fault.path)) : undefined
    if (item === undefined) continue
    replaceAt(value, item.path, item.text)
    replaced = true
  }
  if (replaced) faults = listFaults(value)
  const variables = new Map(interpolated.map((item) => [buildKey(item.path), item.variables]))
  const hiddenBy = (path: DiagnosticPath) =>
    variables.get(buildKey(path)) ?? (isSecretPath(path) ? [] : undefined)
  return { value, diagnostics: listDiagnostics(faults, hiddenBy, names) }
}

function listFaults(value: unknown): readonly ShapeFault[] {
  return validate(value) ? [] : listShapeFaults(validate.errors ?? [], value)
}

function wantsText({ keyword, params }: ShapeFault): boolean {
  const { type } = params
  return keyword === 'type' && (type === 'string' || (Array.isArray(type) && type.includes('string')))
}

function buildKey(path: readonly (string | number)[]): string {
  return path.join('\0')
}

function replaceAt(root: unknown, path: readonly (string | number)[], text: string): void {
  let schema = root
  for (const step of path.slice(0, -1)) schema = Reflect.get(Object(schema), step)
  const last = path.at(-1)
  if (last !== undefined && typeof schema === 'object' && schema !== null) Reflect.set(schema, last, text)
}
