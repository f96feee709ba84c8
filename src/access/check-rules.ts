// Checks the rules of permissions against the model.

import type { PermissionConfig, PermissionRuleConfig } from '../config/auth-config.ts'
import type { Config } from '../config/config.ts'
import { checkExpression } from '../expressions/check-expression.ts'
import type { Expression, ExpressionFault, Scope } from '../expressions/expression.ts'
import type { Diagnostic, DiagnosticPath } from '../lib/errors/diagnostic.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Model } from '../model/model.ts'
import { listPermissions } from '../model/permission-list.ts'
import { expandPermission } from '../model/permission-pattern.ts'
import { checkFields, checkSet } from './check-rule-names.ts'
import { getActionName } from './permissions.ts'
import { getRuleParts, getScopes, type RulePart } from './rule-scopes.ts'
import { typeOfAction } from './rules.ts'

/** `fault`: why a database cannot evaluate the expression. */
interface Askable {
  fault(type: ContentType, expression: Expression): ExpressionFault | undefined
  isNever(type: ContentType, expression: Expression): boolean
}

interface RuleChecking {
  readonly model: Model
  readonly actions: ReadonlySet<string>
  readonly askable: Askable
  report(diagnostic: Diagnostic): void
}

/** `declared`: as written; `completed`: with inherited permissions. */
export function checkRules(
  { declared, completed }: { readonly declared: Config; readonly completed: Config },
  checking: RuleChecking,
): void {
  const { auth } = declared
  for (const [role, { permissions }] of Object.entries(completed.auth.roles))
    checkMixedFields(permissions, ['auth', 'roles', role, 'permissions'], checking)
  for (const [index, { permissions = [] }] of auth.apiTokens.entries())
    checkMixedFields(permissions, ['auth', 'apiTokens', index, 'permissions'], checking)
  for (const [role, { permissions }] of Object.entries(auth.roles))
    checkList(permissions, ['auth', 'roles', role, 'permissions'], role === 'public', checking)
  for (const [index, { permissions = [] }] of auth.apiTokens.entries())
    checkList(permissions, ['auth', 'apiTokens', index, 'permissions'], true, checking)
}

const FOR_OTHERS =
  'rules are for the actions of content-types of the file and of users: write the others as a plain text'
const FOR_FILES =
  'files take no rules: leave the permission out, and the role sees the files of the entries that it may read'

/** `nobody`: whether the callers are never users. */
function checkList(
  permissions: readonly PermissionConfig[],
  at: DiagnosticPath,
  nobody: boolean,
  checking: RuleChecking,
): void {
  const { model, actions, report } = checking
  for (const { pattern, rule, path } of listPermissions(permissions)) {
    if (rule === undefined) continue
    const place = { path: [...at, ...path], nobody }
    const expanded = expandPermission(pattern, actions)
    /**
     * A short form drops the parts that some of its actions do not take; a part that none of them takes is a
     * fault.
     */
    const taken = new Set(expanded.flatMap((action) => getRuleParts(getActionName(action)) ?? []))
    const isShort = expanded.length > 1
    warnOfOpenUsers(rule, expanded, place.path, checking)
    const seen = new Set<string>()
    for (const action of expanded) {
      const type = typeOfAction(model, action)
      const parts = getRuleParts(getActionName(action))
      if (type === undefined || parts === undefined) {
        const message = `"${action}" takes no rule`
        const help = action.startsWith('plugin::upload.') ? FOR_FILES : FOR_OTHERS
        report({ code: 'RUL002', severity: 'error', path: place.path, at: 'key', message, help })
        continue
      }
      for (const part of Object.keys(rule) as RulePart[]) {
        if (parts.includes(part)) {
          if (seen.has(`${type.uid} ${part}`)) continue
          seen.add(`${type.uid} ${part}`)
          checkPart(rule, part, type, place, checking)
        } else if (!isShort || (!taken.has(part) && !seen.has(part))) {
          seen.add(part)
          const message = `"${part}" does not fit ${getActionName(action)}`
          const help = `${getActionName(action)} takes ${parts.join(', ')}`
          report({ code: 'RUL002', severity: 'error', path: [...place.path, part], at: 'key', message, help })
        }
      }
    }
  }
}

/**
 * Refuses permissions to read the same entries with different `where` and `fields`: an entry that one of them
 * allows would be shown with the attributes of both.
 */
function checkMixedFields(
  permissions: readonly PermissionConfig[],
  at: DiagnosticPath,
  { actions, report }: RuleChecking,
): void {
  const byAction = new Map<string, { readonly rule: PermissionRuleConfig; readonly path: DiagnosticPath }[]>()
  for (const { pattern, rule = {}, path } of listPermissions(permissions)) {
    for (const action of expandPermission(pattern, actions)) {
      if (!['find', 'findOne'].includes(getActionName(action))) continue
      const known = byAction.get(action) ?? []
      byAction.set(action, [...known, { rule, path }])
    }
  }
  const reported = new Set<DiagnosticPath>()
  for (const [action, [first, ...others]] of byAction) {
    // Such a permission already shows everything.
    const isOpen = [first, ...others].some(
      (one) => one?.rule.where === undefined && one?.rule.fields === undefined,
    )
    for (const { rule, path } of isOpen ? [] : others) {
      const sameFields = JSON.stringify(first?.rule.fields) === JSON.stringify(rule.fields)
      if (sameFields || first?.rule.where === rule.where || reported.has(path)) continue
      reported.add(path)
      const message = `another permission for "${action}" has other "fields" and another "where"`
      const help =
        'an entry would be shown with the attributes of both: give them the same "fields", or join them into one'
      report({ code: 'RUL004', severity: 'error', path: [...at, ...path], at: 'key', message, help })
    }
  }
}

/** Warns of permissions to write users without `fields`: the caller may then also change the user's role. */
function warnOfOpenUsers(
  { fields, set = {} }: PermissionRuleConfig,
  expanded: readonly string[],
  path: DiagnosticPath,
  { model, report }: RuleChecking,
): void {
  const isWrite = expanded.some(
    (action) =>
      typeOfAction(model, action) === model.userType && ['create', 'update'].includes(getActionName(action)),
  )
  if (model.userType === undefined || !isWrite || fields !== undefined || Object.hasOwn(set, 'role')) return
  const message = 'a caller with this permission may give a user any role: it has no "fields"'
  const help = 'name the attributes that may be written: fields: [username, email, password]'
  report({ code: 'RUL006', severity: 'warning', path, at: 'key', message, help })
}

interface Place {
  readonly path: DiagnosticPath
  readonly nobody: boolean
}

function checkPart(
  rule: PermissionRuleConfig,
  part: RulePart,
  type: ContentType,
  { path, nobody }: Place,
  { model, askable, report }: RuleChecking,
): void {
  const scopes = getScopes(model, type)
  switch (part) {
    case 'where':
    case 'check': {
      const text = rule[part] ?? ''
      const expression = checkText(text, scopes[part], [...path, part], report, 'bool')
      if (expression === undefined) return
      const fault = askable.fault(type, expression)
      if (fault !== undefined) report(faultAt(fault, [...path, part]))
      else if (nobody && part === 'where' && askable.isNever(type, expression)) {
        const message = 'this holds for no entry: nobody is logged in here, so "me" is nobody'
        report({ code: 'RUL005', severity: 'warning', path: [...path, part], message })
      }
      return
    }
    case 'set':
      checkSet(rule.set ?? {}, type, [...path, part], report, (text, at) =>
        checkText(text, scopes.set, at, report),
      )
      return
    case 'fields':
      checkFields(rule.fields ?? [], type, [...path, part], report)
  }
}

function checkText(
  text: string,
  scope: Scope,
  path: DiagnosticPath,
  report: RuleChecking['report'],
  wanted?: 'bool',
): Expression | undefined {
  const checked = checkExpression(text, scope, wanted)
  if (checked.ok) return checked.expression
  report(faultAt(checked.fault, path))
  return undefined
}

function faultAt({ message, help, range }: ExpressionFault, path: DiagnosticPath): Diagnostic {
  const found: Diagnostic = { code: 'RUL001', severity: 'error', path, message, within: range }
  return help === undefined ? found : { ...found, help }
}
