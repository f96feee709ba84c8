// Checks the attributes that `set` and `fields` of a rule name.

import type { PermissionRuleConfig } from '../config/auth-config.ts'
import { type Expression, type Type, typeName } from '../expressions/expression.ts'
import { didYouMean } from '../lib/did-you-mean.ts'
import type { Diagnostic, DiagnosticPath } from '../lib/errors/diagnostic.ts'
import type { ContentType } from '../model/content-type.ts'
import { describeSchema } from '../model/expression-scope.ts'
import { literal } from './rules.ts'

type Report = (diagnostic: Diagnostic) => void

export function checkFields(
  fields: readonly string[],
  type: ContentType,
  path: DiagnosticPath,
  report: Report,
): void {
  for (const [index, name] of fields.entries()) {
    if (name === 'id' || type.attributes.has(name) || type.systemAttributes.has(name)) continue
    report(unknown(name, type, [...path, index]))
  }
}

/** `compile` reports the faults of an expression and then returns undefined. */
export function checkSet(
  set: NonNullable<PermissionRuleConfig['set']>,
  type: ContentType,
  path: DiagnosticPath,
  report: Report,
  compile: (text: string, path: DiagnosticPath) => Expression | undefined,
): void {
  for (const [name, value] of Object.entries(set)) {
    const at = [...path, name]
    const attribute = type.attributes.get(name)
    if (attribute === undefined) {
      report({ ...unknown(name, type, at), at: 'key' })
      continue
    }
    const expression = typeof value === 'string' ? compile(value, at) : literal(value)
    const wanted = describeSchema(type).member(name)
    if (expression === undefined || wanted === undefined) continue
    const message = misfit(wanted, attribute.kind, expression)
    if (message !== undefined) report({ code: 'RUL003', severity: 'error', path: at, message })
  }
}

function misfit(wanted: Type | string, kind: string, expression: Expression): string | undefined {
  if (typeof wanted === 'string') return wanted
  if (kind === 'component' || kind === 'media') return 'an expression cannot make a value for it'
  const { type } = expression
  if (type.kind === 'null') return undefined
  if (wanted.kind === 'text' && expression.kind === 'literal' && typeof expression.value === 'string')
    if (wanted.values?.includes(expression.value) === false)
      return `"${expression.value}" is none of its values: ${wanted.values.join(', ')}`
  const fits =
    wanted.kind === 'entry' || wanted.kind === 'entries'
      ? (type.kind === 'entry' || (type.kind === 'entries' && wanted.kind === 'entries')) &&
        type.shape.name === wanted.shape.name
      : wanted.kind === type.kind || (wanted.kind === 'number' && type.kind === 'int')
  return fits ? undefined : `it must be ${typeName(wanted)}, and this is ${typeName(type)}`
}

function unknown(name: string, type: ContentType, path: DiagnosticPath): Diagnostic {
  const near = didYouMean(name, type.attributes.keys())
  const found: Diagnostic = {
    code: 'RUL003',
    severity: 'error',
    path,
    message: `${type.uid} has no attribute "${name}"`,
  }
  return near === undefined ? found : { ...found, help: `did you mean "${near}"?` }
}
