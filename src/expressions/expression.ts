// The checked form of an expression, with resolved names and the type and range of every node.

/** Character offsets [start, end) in the expression's text. */
export type Range = readonly [start: number, end: number]

/** int: a whole number; moment: epoch milliseconds; date and time: text, as stored; null: only the word itself. */
export type ScalarKind = 'bool' | 'int' | 'number' | 'text' | 'moment' | 'date' | 'time' | 'duration' | 'null'

export type Type =
  | { readonly kind: ScalarKind; readonly values?: readonly string[] | undefined }
  /** An entry or component, or null. Two entries are equal if their ids are. */
  | { readonly kind: 'entry'; readonly shape: Shape }
  | { readonly kind: 'entries'; readonly shape: Shape }
  | { readonly kind: 'list'; readonly of: ScalarKind }

export interface Shape {
  /** Shapes of the same name are the same type. */
  readonly name: string
  /** Undefined for an unknown name; a text with the reason if an expression may not use it. */
  member(name: string): Type | string | undefined
  readonly names: Iterable<string>
}

export interface Scope {
  /** The entry whose attributes are named without a prefix. */
  readonly entry: Shape | undefined
  /** `me`, `role`, `now`, …; attributes of the entry take precedence. */
  readonly variables: ReadonlyMap<string, Type>
}

export type Root =
  | { readonly kind: 'entry' }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'element'; readonly name: string }

export interface PathNode extends CheckedExpression {
  readonly kind: 'path'
  readonly root: Root
  readonly names: readonly string[]
  readonly types: readonly Type[]
}

export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>='
export type Arithmetic = '+' | '-' | '*' | '/'
export type TextTest = 'contains' | 'startsWith' | 'endsWith'
type Literal = string | number | boolean | null

interface CheckedExpression {
  readonly type: Type
  readonly range: Range
}

export type Expression = PathNode | (CheckedExpression & Node)

type Node =
  | { readonly kind: 'literal'; readonly value: Literal }
  | { readonly kind: 'list'; readonly elements: readonly Expression[] }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Expression[] }
  | { readonly kind: 'not' | 'minus' | 'size'; readonly operand: Expression }
  | {
      readonly kind: 'compare'
      readonly operator: Comparison
      readonly left: Expression
      readonly right: Expression
    }
  /** `x == null`, `x != null`, `has(x)`. */
  | { readonly kind: 'isNull'; readonly operand: Expression; readonly negated: boolean }
  /** `concat` joins texts; `shift` adds a duration to a moment, or subtracts it. */
  | {
      readonly kind: 'arithmetic' | 'concat' | 'shift'
      readonly operator: Arithmetic
      readonly left: Expression
      readonly right: Expression
    }
  | { readonly kind: 'in'; readonly element: Expression; readonly list: Expression }
  | {
      readonly kind: 'textTest'
      readonly test: TextTest
      readonly text: Expression
      readonly part: Expression
    }
  | {
      readonly kind: 'conditional'
      readonly test: Expression
      readonly yes: Expression
      readonly no: Expression
    }
  /** `members.exists(m, m.age > 17)` */
  | {
      readonly kind: 'exists'
      readonly list: PathNode
      readonly variable: string
      readonly body: Expression
    }

export interface ExpressionFault {
  /** One sentence in lower case without a full stop. */
  readonly message: string
  readonly help?: string | undefined
  readonly range: Range
}

export class ExpressionError extends Error {
  override name = 'ExpressionError'
  readonly fault: ExpressionFault

  constructor(range: Range, message: string, help?: string) {
    super(message)
    this.fault = { range, message, help }
  }
}

export function listParts(node: Expression): readonly Expression[] {
  switch (node.kind) {
    case 'path':
    case 'literal':
      return []
    case 'list':
      return node.elements
    case 'and':
    case 'or':
      return node.parts
    case 'not':
    case 'minus':
    case 'size':
    case 'isNull':
      return [node.operand]
    case 'compare':
    case 'arithmetic':
    case 'concat':
    case 'shift':
      return [node.left, node.right]
    case 'in':
      return [node.element, node.list]
    case 'textTest':
      return [node.text, node.part]
    case 'conditional':
      return [node.test, node.yes, node.no]
    case 'exists':
      return [node.list, node.body]
  }
}

export function listPaths(node: Expression): readonly PathNode[] {
  return node.kind === 'path' ? [node] : listParts(node).flatMap(listPaths)
}

/** Whether the value depends on the caller's variables only, not on an entry or on the element of a loop. */
export function isKnown(node: Expression): boolean {
  return node.kind !== 'exists' && listPaths(node).every(({ root }) => root.kind === 'variable')
}

/** The operands of arithmetic were checked to be in range. */
export function isCalculated({ kind }: Expression): boolean {
  return kind === 'arithmetic' || kind === 'minus'
}

export function typeName(type: Type): string {
  switch (type.kind) {
    case 'entry':
      return `an entry of ${type.shape.name}`
    case 'entries':
      return `a list of entries of ${type.shape.name}`
    case 'list':
      return `a list of ${names[type.of].replace(/^an? /, '')}s`
    default:
      return names[type.kind]
  }
}

const names: Readonly<Record<ScalarKind, string>> = {
  bool: 'a boolean',
  int: 'a whole number',
  number: 'a number',
  text: 'a text',
  moment: 'a moment',
  date: 'a date',
  time: 'a time',
  duration: 'a duration',
  null: 'null',
}
