// Compiles a text search in two steps for databases without estimates: first counts each index's candidates,
// then reads without the indexes that find too many, because listing them takes longer than reading the
// entries.

import { sql } from 'kysely'
import type { Condition, ReadPlan } from '../../plan/read-plan.ts'
import type { ModelLayout } from './build-layout.ts'
import type { Dialect } from './dialect.ts'
import { createCompiler } from './kysely-compiler.ts'
import { type BoundValue, bound } from './parameter.ts'
import { type Statement, statement } from './statement.ts'

type Comparison = Extract<Condition, { kind: 'compare' }>

export interface CompiledSearch {
  readonly statement: Statement
  readonly parameters: readonly BoundValue[]
  readonly comparisons: readonly Comparison[]
}

/** 10,000 candidates take about 20 ms to list, and as many entries a third of it to read. */
export const MAX_CANDIDATES = 10_000

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
