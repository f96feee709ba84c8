// A search of texts in two steps where the database does not estimate: first how many entries each index would find, then
// the read, in which comparisons that find too many do without their index. To list the candidates of a word that most
// entries contain would take longer than to read the entries.

import { sql } from 'kysely'
import type { Condition, ReadPlan } from '../../plan/read-plan.ts'
import type { ModelLayout } from './build-layout.ts'
import type { Dialect } from './dialect.ts'
import { createCompiler } from './kysely-compiler.ts'
import { type BoundValue, bound } from './parameter.ts'
import { type Statement, statement } from './statement.ts'

type Comparison = Extract<Condition, { kind: 'compare' }>

export interface CompiledSearch {
  /** Returns one row: for each comparison, how many candidates it has. */
  readonly statement: Statement
  readonly parameters: readonly BoundValue[]
  readonly comparisons: readonly Comparison[]
}

/** Up to 10,000 candidates are listed: that takes about 20 ms, and reading as many entries a third of it. */
export const MAX_CANDIDATES = 10_000

/** Undefined if nothing has to be asked before the plan is read. */
export function compileSearch(
  { condition }: ReadPlan,
  layout: ModelLayout,
  dialect: Dialect,
): CompiledSearch | undefined {
  const { textIndex } = dialect
  const comparisons = condition === undefined ? [] : indexedIn(condition)
  const count = textIndex?.count
  if (textIndex === undefined || count === undefined || comparisons.length === 0) return undefined
  const counts = comparisons.map(({ attribute, slots: [term] }) => {
    const placeholder = sql`${bound(term, (value) => textIndex.encode(String(value)))}`
    return count(layout.getTextIndex(attribute), placeholder, MAX_CANDIDATES + 1)
  })
  const { text, parameters } = createCompiler(dialect)(sql`select ${sql.join(counts)}`)
  return { statement: statement(text, true), parameters: parameters as readonly BoundValue[], comparisons }
}

function indexedIn(condition: Condition): readonly Comparison[] {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.conditions.flatMap(indexedIn)
    case 'related':
      return condition.condition === undefined ? [] : indexedIn(condition.condition)
    case 'compare':
      return condition.indexed === true ? [condition] : []
    default:
      return []
  }
}

/** The plan in which these comparisons read every entry. */
export function withoutIndexes(plan: ReadPlan, comparisons: ReadonlySet<Condition>): ReadPlan {
  const without = (condition: Condition): Condition => {
    switch (condition.kind) {
      case 'and':
      case 'or':
        return { ...condition, conditions: condition.conditions.map(without) }
      case 'related':
        return condition.condition === undefined
          ? condition
          : { ...condition, condition: without(condition.condition) }
      case 'compare': {
        if (!comparisons.has(condition)) return condition
        const { indexed: _, ...exact } = condition
        return exact
      }
      default:
        return condition
    }
  }
  return plan.condition === undefined ? plan : { ...plan, condition: without(plan.condition) }
}
