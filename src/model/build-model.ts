// Builds the frozen, linked model from Config and plugins' contributions, or reports every fault.

import type { Config } from '../config/config.ts'
import { checkExpression } from '../expressions/check-expression.ts'
import { listPaths } from '../expressions/expression.ts'
import type { Diagnostic, Outcome } from '../lib/errors/diagnostic.ts'
import { listModelActions } from './actions.ts'
import type { Attribute } from './attribute.ts'
import { collectIndexedPaths, fillAttributeSets, listTextIndexed, listUniqueAlone } from './attribute-sets.ts'
import { buildAttribute } from './build-attribute.ts'
import type { CheckContext } from './checking.ts'
import { createFault, type ModelCheck, noProgram, type ProgramRegistrations } from './checking.ts'
import { checkAttributeNames } from './checks/check-attribute-names.ts'
import { checkComponentCycles } from './checks/check-component-cycles.ts'
import { checkConstraints } from './checks/check-constraints.ts'
import { checkConsoleTypes, checkLooks } from './checks/check-looks.ts'
import { checkLostReads } from './checks/check-lost-reads.ts'
import { checkNames } from './checks/check-names.ts'
import { checkPaths } from './checks/check-paths.ts'
import { checkPermissions } from './checks/check-permissions.ts'
import { checkRelationKeys, checkUnpairedRelations } from './checks/check-relations.ts'
import { checkRenames } from './checks/check-renames.ts'
import { checkRoles } from './checks/check-roles.ts'
import { checkRoutes } from './checks/check-routes.ts'
import { buildComputed } from './computed-attributes.ts'
import { contentRules } from './content-rules.ts'
import type { ModelContribution } from './contribution.ts'
import { checkData } from './data/check-data.ts'
import { hideOtherSides } from './hide-other-sides.ts'
import { linkRelations } from './link-relations.ts'
import { mergeContributions } from './merge-contributions.ts'
import type { Model } from './model.ts'
import { isFollowUp, ownScope } from './own-scope.ts'
import {
  createLocalizationsAttribute,
  createRelatedAttribute,
  createSchemaDrafts,
  type SchemaDrafts,
} from './schema-drafts.ts'

const ownChecks: readonly ModelCheck[] = [
  checkNames,
  checkPaths,
  checkAttributeNames,
  checkRelationKeys,
  checkUnpairedRelations,
  checkRenames,
  checkComponentCycles,
  checkConstraints,
  checkRoutes,
  checkPermissions,
  checkRoles,
  checkLostReads,
  checkData,
]

/** Contributions of enabled plugins, and checks of all plugins. */
export interface PluginAdditions {
  readonly contributions: readonly ModelContribution[]
  readonly checks: readonly ModelCheck[]
}

/** Pure. Collects all faults before it fails. */
export function buildModel(
  config: Config,
  { contributions, checks }: PluginAdditions,
  program: ProgramRegistrations = noProgram,
): Outcome<Model> {
  const diagnostics: Diagnostic[] = []
  const fault = createFault((diagnostic) => diagnostics.push(diagnostic))
  const checking = linkedModel(config, contributions, program, fault)
  for (const check of [...ownChecks, ...checks]) check(checking)
  // Most files leave the looks to the console.
  if (Object.keys(config.looks).length > 0) checkLooks(checking)
  if (Object.values(config.auth.roles).some((role) => role.console?.types !== undefined))
    checkConsoleTypes(checking)

  if (diagnostics.some(({ severity }) => severity === 'error')) return { ok: false, diagnostics }
  return { ok: true, value: freezeModel(checking.schemas), warnings: diagnostics }
}

/**
 * For a configuration of another API version: its content-types are right, though permissions and data may
 * not be.
 */
export function buildModelInApiVersion(config: Config, contributions: readonly ModelContribution[]): Model {
  const ignored = createFault(() => {})
  return freezeModel(linkedModel(config, contributions, noProgram, ignored).schemas)
}

function linkedModel(
  config: Config,
  contributions: readonly ModelContribution[],
  program: ProgramRegistrations,
  fault: CheckContext['fault'],
): CheckContext {
  const sources = mergeContributions(config, contributions, fault)
  const schemas = createSchemaDrafts(contentRules[config.dialect], sources, contributions, config)
  fillAttributes(schemas, fault)
  const actions = listModelActions(
    getModel(schemas),
    contributions.flatMap((contribution) => contribution.actions ?? []),
    config.routes,
  )
  const checking: CheckContext = { config, contributions, sources, schemas, actions, fault, program }
  linkRelations(checking)
  fillAttributeSets(checking)
  fillEntryChecks(checking)
  hideOtherSides(checking)
  fillRelated(schemas)
  return checking
}

function fillAttributes(schemas: SchemaDrafts, fault: CheckContext['fault']): void {
  for (const { built, source, attributes } of [...schemas.types.values(), ...schemas.components.values()]) {
    const listed = source.config.options['privateAttributes']
    const place = {
      schemas,
      privateAttributes: Array.isArray(listed) ? listed : [],
      uniqueAttributes: new Set('unique' in source.config ? listUniqueAlone(source.config.unique) : []),
      textIndexed: new Set('index' in source.config ? listTextIndexed(source.config.index) : []),
      indexedPaths: collectIndexedPaths('index' in source.config ? source.config.index : undefined),
      localized: 'localized' in built && built.localized,
      fault,
    }
    const found = new Map<string, Attribute | undefined>()
    for (const one of source.attributes) {
      if (one.config.computed !== undefined) continue
      const attribute = buildAttribute(one, place)
      found.set(one.name, attribute)
      if (attribute !== undefined) attributes.set(attribute.name, attribute)
    }
    for (const one of source.attributes) {
      const { computed } = one.config
      if (computed !== undefined) found.set(one.name, buildComputed(one, computed, { built, source }, place))
    }
    attributes.clear()
    for (const { name } of source.attributes) {
      const attribute = found.get(name)
      if (attribute !== undefined) attributes.set(name, attribute)
    }
    if ('localized' in built && built.localized) {
      const localizations = createLocalizationsAttribute(built)
      attributes.set(localizations.name, localizations)
    }
  }
}

/** Runs last, since it needs every media attribute. */
function fillRelated(schemas: SchemaDrafts): void {
  const { files } = schemas
  if (files === undefined) return
  const related = createRelatedAttribute(schemas)
  files.attributes.set(related.name, related)
}

function freezeModel(schemas: SchemaDrafts): Model {
  for (const { built, attributes } of [...schemas.types.values(), ...schemas.components.values()]) {
    for (const attribute of attributes.values()) Object.freeze(attribute)
    Object.freeze(built)
  }
  return Object.freeze(getModel(schemas))
}

function getModel({ apiVersion, types, components, files, users }: SchemaDrafts): Model {
  return {
    apiVersion,
    fileType: files?.built,
    userType: users?.built,
    contentTypes: new Map([...types].map(([uid, { built }]) => [uid, built])),
    components: new Map([...components].map(([uid, { built }]) => [uid, built])),
  }
}

function fillEntryChecks({ schemas, fault }: Pick<CheckContext, 'schemas' | 'fault'>): void {
  for (const { built, source, rules } of schemas.types.values()) {
    for (const [index, { that, message }] of (source.config.checks ?? []).entries()) {
      const checked = checkExpression(that, ownScope(built, source, true), 'bool')
      if (checked.ok) {
        const { expression } = checked
        const attribute = listPaths(expression).find(({ root }) => root.kind === 'entry')?.names[0]
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
