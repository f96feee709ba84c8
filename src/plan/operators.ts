// The filter operators: one row each. Below the planner an operator is its row, never
// its name.

export type OperatorKind =
  | 'equal'
  | 'less'
  | 'lessOrEqual'
  | 'greater'
  | 'greaterOrEqual'
  | 'in'
  | 'contains'
  | 'startsWith'
  | 'endsWith'
  | 'null'
  | 'between'

export interface Operator {
  readonly name: string
  readonly kind: OperatorKind
  /** `$ne`, `$notIn`, …: rows whose value is null never match (SQL's logic, as recorded). */
  readonly negated: boolean
  /** The letters A to Z match their lower case; other letters are compared as they are, on every database. */
  readonly ignoresCase: boolean
}

function row(name: string, kind: OperatorKind, negated = false, ignoresCase = false): Operator {
  return { name, kind, negated, ignoresCase }
}

const rows: readonly Operator[] = [
  row('$eq', 'equal'),
  row('$eqi', 'equal', false, true),
  row('$ne', 'equal', true),
  row('$nei', 'equal', true, true),
  row('$lt', 'less'),
  row('$lte', 'lessOrEqual'),
  row('$gt', 'greater'),
  row('$gte', 'greaterOrEqual'),
  row('$in', 'in'),
  row('$notIn', 'in', true),
  row('$contains', 'contains'),
  row('$notContains', 'contains', true),
  row('$containsi', 'contains', false, true),
  row('$notContainsi', 'contains', true, true),
  row('$startsWith', 'startsWith'),
  row('$startsWithi', 'startsWith', false, true),
  row('$endsWith', 'endsWith'),
  row('$endsWithi', 'endsWith', false, true),
  row('$null', 'null'),
  row('$notNull', 'null', true),
  row('$between', 'between'),
]

export const operators: ReadonlyMap<string, Operator> = new Map(
  rows.map((operator) => [operator.name, operator]),
)

/** The three that join conditions; `$and` and `$or` at entry level, `$not` anywhere. */
export const joiners: ReadonlySet<string> = new Set(['$and', '$or', '$not'])

export const operatorNames: readonly string[] = [...operators.keys(), ...joiners]
