// Explains a list request: the statement that the database is asked, under the caller's rules, and missing indexes.

import { createBindable } from '../access/bind-permissions.ts'
import { listAllActions } from '../access/permissions.ts'
import type { Config } from '../config/config.ts'
import { didYouMean } from '../lib/did-you-mean.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import { ownTypes } from '../model/actions.ts'
import type { Model } from '../model/model.ts'
import { planFind } from '../plan/plan-read.ts'
import { listLevels, listPopulated, type ReadPlan } from '../plan/read-plan.ts'
import { enablePlugins, listContributions } from '../plugins/plugin-host.ts'
import { describeIndexes } from '../query/list-scans.ts'
import { createParseListParams } from '../rest/parse-list-params.ts'
import { listPath } from '../rest/rest-paths.ts'
import { getClientDialect } from '../storage/open-database.ts'
import { buildLayout } from '../storage/sql/build-layout.ts'
import { compileRead } from '../storage/sql/compile-read.ts'
import { getScan } from '../storage/sql/missing-indexes.ts'
import { type Explanation, findGrant } from './explain-permission.ts'

/** `who`: as for `explainPermission`. `url`: `/api/articles?filters[title][$eq]=x`. */
export function explainQuery(config: Config, model: Model, who: string, url: string): Explanation {
  const actions = listAllActions(model, listContributions(enablePlugins(config)), config)
  const found = findGrant(who, config, actions, model)
  if (typeof found === 'string') return { fault: found }
  const [path = '', query = ''] = url.split(/\?(.*)/s)
  const types = new Map(ownTypes(model).map((type) => [listPath(type, config.rest.prefix), type]))
  const type = types.get(path)
  if (type === undefined) {
    const near = didYouMean(path, [...types.keys()])
    const hint = near === undefined ? `lists are ${[...types.keys()].join(', ')}` : `did you mean "${near}"?`
    return { fault: `"${path}" is the path of no list: ${hint}` }
  }
  const { granted, place, role } = found
  if (!granted.actions.has(`${type.uid}.find`))
    return { text: `refused (403): nothing in ${place} allows ${type.uid}.find\n` }
  const access = createBindable(granted, config.rest.publicDrafts, role, () => Date.now()).bind({ id: 1 })
  try {
    const params = createParseListParams(model, config.rest)(query, type, access)
    const { plan } = planFind(type, params, access, config.rest)
    return { text: describePlan(plan, config, model) }
  } catch (error) {
    if (error instanceof ApiError) return { text: `refused (${error.status}): ${error.message}\n` }
    throw error
  }
}

function describePlan(plan: ReadPlan, config: Config, model: Model): string {
  const layout = buildLayout(model)
  const dialect = getClientDialect(config.database)
  const levels = countLevels(plan)
  const scan = getScan(plan, { layout, dialect, isLarge: () => true })
  return [
    'the entries are asked of the database as',
    `  ${compileRead(plan, layout, dialect).rows.statement.text}`,
    levels === 0 ? undefined : `and ${levels} more statement${levels === 1 ? '' : 's'} for what is populated`,
    scan === undefined
      ? 'an index serves it, or none is needed'
      : `all entries are looked at for ${scan.parts.join(', ')}; ${describeIndexes(scan.missing)}`,
    '',
  ]
    .filter((line) => line !== undefined)
    .join('\n')
}

function countLevels(plan: ReadPlan): number {
  return listPopulated(plan)
    .flatMap(listLevels)
    .reduce((sum, level) => sum + 1 + countLevels(level), 0)
}
