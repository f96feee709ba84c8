// Refuses computed attributes and checks that no database can calculate.

import { ExpressionError } from '../expressions/expression.ts'
import type { Diagnostic, DiagnosticPath } from '../lib/errors/diagnostic.ts'
import { everything } from '../model/access.ts'
import type { Schema } from '../model/content-type.ts'
import type { Model } from '../model/model.ts'
import { planExpression, planValue } from '../plan/conditions/plan-expression.ts'
import { startPlanning } from '../plan/planning.ts'

/** The types of all expressions must have been checked. */
export function checkOwnExpressions(model: Model): readonly Diagnostic[] {
  const faults: Diagnostic[] = []
  const add = (path: DiagnosticPath, ask: () => unknown): void => {
    const fault = buildFault(path, ask)
    if (fault !== undefined) faults.push(fault)
  }
  const addComputed = (schema: Schema, path: DiagnosticPath): void => {
    for (const attribute of schema.attributes.values()) {
      const computed = attribute.kind === 'scalar' ? attribute.computed : undefined
      if (computed === undefined) continue
      add([...path, 'attributes', attribute.name, 'computed'], () =>
        planValue(startPlanning(everything), schema, computed.expression),
      )
    }
  }
  for (const type of model.contentTypes.values()) {
    const path = ['contentTypes', type.sourceKey ?? type.uid]
    addComputed(type, path)
    for (const [index, { expression }] of type.checks.entries())
      add([...path, 'checks', index, 'that'], () =>
        planExpression(startPlanning(everything), type, expression, {}),
      )
  }
  for (const component of model.components.values()) addComputed(component, ['components', component.uid])
  return faults
}

function buildFault(path: DiagnosticPath, ask: () => unknown): Diagnostic | undefined {
  try {
    ask()
    return undefined
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    const { message, help, range } = error.fault
    return {
      code: 'MOD096',
      severity: 'error',
      path,
      message,
      within: range,
      ...(help !== undefined && { help }),
    }
  }
}
