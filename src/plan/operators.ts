// The filter operators, in the order of GraphQL's inputs. `storage/sql/compile-filter.ts` compiles them to
// SQL by kind.

import type { ScalarValue } from '../attribute-types/attribute-type.ts'

type Value = NonNullable<ScalarValue>

interface Kind {
  /** `pair`: a list of two; `truth`: a boolean that negates when false. */
  readonly operand: 'value' | 'list' | 'pair' | 'truth'
  readonly asText: boolean
  /** The kind of work per value; `costs.ts` has its cost. */
  readonly effort: 'comparison' | 'textEnd' | 'textSearch'
  /** SQL's result for a value and operands of its type, or for texts; a list's elements are the operands. */
  readonly matches: (value: Value, operands: readonly Value[]) => boolean
}

const compared = { operand: 'value', asText: false, effort: 'comparison' } as const
const part = { operand: 'value', asText: true, effort: 'textEnd' } as const

const kinds = {
  equal: { ...compared, matches: (value, [operand]) => value === operand },
  less: { ...compared, matches: (value, [operand]) => operand !== undefined && value < operand },
  lessOrEqual: { ...compared, matches: (value, [operand]) => operand !== undefined && value <= operand },
  greater: { ...compared, matches: (value, [operand]) => operand !== undefined && value > operand },
  greaterOrEqual: { ...compared, matches: (value, [operand]) => operand !== undefined && value >= operand },
  between: {
    ...compared,
    operand: 'pair',
    matches: (value, [low, high]) => low !== undefined && high !== undefined && value >= low && value <= high,
  },
  in: { ...compared, operand: 'list', matches: (value, operands) => operands.includes(value) },
  contains: {
    ...part,
    effort: 'textSearch',
    matches: (value, [operand]) => String(value).includes(String(operand)),
  },
  startsWith: { ...part, matches: (value, [operand]) => String(value).startsWith(String(operand)) },
  endsWith: { ...part, matches: (value, [operand]) => String(value).endsWith(String(operand)) },
  null: { ...compared, operand: 'truth', matches: () => false },
} as const satisfies Record<string, Kind>

/** On a relation to many: `{ $size: { $gte: 3 } }` compares the number of related entries. */
export const SIZE = '$size'

export type OperatorKind = keyof typeof kinds

export interface Operator extends Kind {
  readonly name: string
  readonly kind: OperatorKind
  /** `$ne`, `$notIn`, …: rows with null never match, as in SQL. */
  readonly negated: boolean
  /** For A to Z only, on every database. */
  readonly ignoresCase: boolean
}

function row(name: string, kind: OperatorKind, { negated = false, ignoresCase = false } = {}): Operator {
  const { asText, ...more } = kinds[kind]
  return { ...more, name, kind, negated, ignoresCase, asText: asText || ignoresCase }
}

const rows: readonly Operator[] = [
  row('$eq', 'equal'),
  row('$eqi', 'equal', { ignoresCase: true }),
  row('$ne', 'equal', { negated: true }),
  row('$nei', 'equal', { negated: true, ignoresCase: true }),
  row('$startsWith', 'startsWith'),
  row('$startsWithi', 'startsWith', { ignoresCase: true }),
  row('$endsWith', 'endsWith'),
  row('$endsWithi', 'endsWith', { ignoresCase: true }),
  row('$contains', 'contains'),
  row('$notContains', 'contains', { negated: true }),
  row('$containsi', 'contains', { ignoresCase: true }),
  row('$notContainsi', 'contains', { negated: true, ignoresCase: true }),
  row('$gt', 'greater'),
  row('$gte', 'greaterOrEqual'),
  row('$lt', 'less'),
  row('$lte', 'lessOrEqual'),
  row('$null', 'null'),
  row('$notNull', 'null', { negated: true }),
  row('$in', 'in'),
  row('$notIn', 'in', { negated: true }),
  row('$between', 'between'),
]

export const operators: ReadonlyMap<string, Operator> = new Map(
  rows.map((operator) => [operator.name, operator]),
)

/** `$and` and `$or` apply to entries, `$not` anywhere. */
export const joiners: ReadonlySet<string> = new Set(['$and', '$or', '$not'])

export const operatorNames: readonly string[] = [...operators.keys(), ...joiners]
