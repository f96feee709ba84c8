// Looks up unique values behind relations before a list is read: `author.username == "ann"` becomes a
// comparison with ann's id. The database's planner can then estimate how many entries match, instead of
// assuming the average of a subquery.

import { sql } from 'kysely'
import type { ScalarAttribute } from '../../model/attribute.ts'
import type { ContentType } from '../../model/content-type.ts'
import { getOperator } from '../../plan/conditions/expression-path.ts'
import type { Condition, PlanValue, ReadPlan, Slot } from '../../plan/read-plan.ts'
import type { ModelLayout } from './build-layout.ts'
import { startCompilation } from './compilation.ts'
import { compileComputed } from './compile-computed.ts'
import { compileCondition } from './compile-filter.ts'
import type { Dialect } from './dialect.ts'
import { createCompiler } from './kysely-compiler.ts'
import type { BoundValue } from './parameter.ts'
import { type Statement, statement } from './statement.ts'

type Comparison = Extract<Condition, { kind: 'compare' }>
type RelatedCondition = Extract<Condition, { kind: 'related' }>

export interface CompiledLookup {
  readonly statement: Statement
  readonly parameters: readonly BoundValue[]
  /** Null matches no row. */
  readonly slot: Slot
}

/** Higher than every slot of a query's own values. */
const FIRST_SLOT = 100_000

interface WithLookups {
  readonly condition: Condition | undefined
  readonly lookups: readonly CompiledLookup[]
}

export function compileLookups(
  plan: Pick<ReadPlan, 'condition' | 'limit' | 'seesPrivate'>,
  layout: ModelLayout,
  dialect: Dialect,
): WithLookups {
  const { condition, limit } = plan
  if (!dialect.looksUp || condition === undefined || limit === undefined) return { condition, lookups: [] }
  const lookups: CompiledLookup[] = []
  const replaced = (part: Condition): Condition => {
    switch (part.kind) {
      case 'and':
      case 'or':
        return { ...part, conditions: part.conditions.map(replaced) }
      case 'not':
        return { ...part, condition: replaced(part.condition) }
      case 'related': {
        const target = getTarget(part)
        if (part.condition === undefined || target === undefined) return part
        if (!isUniqueValue(target, part.condition, layout))
          return { ...part, condition: replaced(part.condition) }
        const slot = FIRST_SLOT + lookups.length
        lookups.push({ ...compileLookup(target, part.condition, plan, layout, dialect), slot })
        return { ...part, condition: equalId(target.id, slot) }
      }
      default:
        return part
    }
  }
  return { condition: replaced(condition), lookups }
}

export function withFound(
  values: readonly PlanValue[],
  lookups: readonly CompiledLookup[],
  found: readonly (number | null)[],
): readonly PlanValue[] {
  const all = [...values]
  for (const [at, { slot }] of lookups.entries()) all[slot] = found[at] ?? null
  return all
}

function getTarget({ attribute }: RelatedCondition): ContentType | undefined {
  return attribute.kind === 'component' ? undefined : attribute.target
}

/**
 * False if a value is unique only within a locale, shared by a draft and its published version, or may repeat
 * as the empty text.
 */
function isUniqueValue(
  { collectionName }: ContentType,
  condition: Condition,
  layout: ModelLayout,
): condition is Comparison {
  if (condition.kind !== 'compare') return false
  const { attribute, operator } = condition
  const isExact = operator.kind === 'equal' && !operator.negated && !operator.ignoresCase
  if (!isExact || attribute.name === 'id') return false
  const indexes = layout.tables.get(collectionName)?.indexes ?? []
  return indexes.some(
    ({ unique, filled, columns }) => unique && filled !== true && columns.join() === attribute.column,
  )
}

/** With `$eq`, the planner also knows that the link's column is equal; with a list it does not. */
function equalId(id: ScalarAttribute, slot: Slot): Comparison {
  return { kind: 'compare', attribute: id, operator: getOperator('$eq'), slots: [slot] }
}

function compileLookup(
  target: ContentType,
  condition: Comparison,
  plan: Pick<ReadPlan, 'seesPrivate'>,
  layout: ModelLayout,
  dialect: Dialect,
): Pick<CompiledLookup, 'statement' | 'parameters'> {
  const compilation = startCompilation(dialect, layout, compileComputed, plan, 0)
  const alias = compilation.alias()
  const where = compileCondition(compilation, alias, condition)
  const { text, parameters } = createCompiler(dialect)(
    sql`select ${sql.ref(`${alias}.id`)} from ${sql.table(target.collectionName)} as ${sql.ref(alias)} where ${where}`,
  )
  return { statement: statement(text, true), parameters: parameters as readonly BoundValue[] }
}
