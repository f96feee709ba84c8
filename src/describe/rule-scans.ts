// Finds rules for lists without an index: every list of a caller with such a rule reads all entries.

import { createBindable } from '../access/bind-permissions.ts'
import { everyPermission } from '../access/principal.ts'
import { buildRoleGrants } from '../access/rules.ts'
import type { Config } from '../config/config.ts'
import type { Access } from '../model/access.ts'
import { ownTypes } from '../model/actions.ts'
import type { Model } from '../model/model.ts'
import { planFind } from '../plan/plan-read.ts'
import { describeIndexes } from '../query/list-scans.ts'
import { getClientDialect } from '../storage/open-database.ts'
import { buildLayout } from '../storage/sql/build-layout.ts'
import { getScan } from '../storage/sql/missing-indexes.ts'

interface RuleScan {
  readonly message: string
  readonly help: string
}

export function listRuleScans(
  config: Config,
  model: Model,
  actions: ReadonlySet<string>,
): readonly RuleScan[] {
  const dialect = getClientDialect(config.database)
  const context = { layout: buildLayout(model), dialect, isLarge: () => true }
  const scans: RuleScan[] = []
  for (const [role, granted] of buildRoleGrants(config.auth, actions, model)) {
    const caller = createBindable(granted, config.rest.publicDrafts, role, () => Date.now()).bind({ id: 1 })
    for (const type of ownTypes(model)) {
      if (!granted.rules.has(`${type.uid}.find`)) continue
      const resolveRule: Access['findRule'] = (of) => (of === type ? caller.findRule(of, 'find') : undefined)
      const params = { locale: 'all', publicationState: 'preview' } as const
      const { plan } = planFind(type, params, { ...everyPermission, findRule: resolveRule })
      const scan = getScan(plan, context)
      if (scan === undefined) continue
      const message = `a list of ${type.uid} by the role ${role} looks at all entries: its rule has no index`
      scans.push({ message, help: describeIndexes(scan.missing) })
    }
  }
  return scans
}
