// Checks the rules across attributes that content-types declare (`checks`).

import { checkExpression } from '../expressions/check-expression.ts'
import { pathsOf } from '../expressions/expression.ts'
import type { Checking } from './checking.ts'
import { isFollowUp, ownScope } from './own-scope.ts'

export function fillEntryChecks({ holders, fault }: Pick<Checking, 'holders' | 'fault'>): void {
  for (const { built, source, rules } of holders.types.values()) {
    for (const [index, { that, message }] of (source.config.checks ?? []).entries()) {
      const checked = checkExpression(that, ownScope(built, source, true), 'bool')
      if (checked.ok) {
        const { expression } = checked
        const attribute = pathsOf(expression).find(({ root }) => root.kind === 'entry')?.names[0]
        rules.checks.push({
          expression,
          text: that,
          message: message ?? `${that.trim()} does not hold`,
          attribute,
        })
      } else {
        const { message: reason, help, range } = checked.fault
        if (isFollowUp(that, checked.fault, built, source)) continue
        fault('MOD096', [...source.path, 'checks', index, 'that'], reason, { help, within: range })
      }
    }
  }
}
