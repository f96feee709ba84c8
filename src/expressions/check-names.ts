// Resolves the names of an expression: attributes, variables, elements of loops, and paths below them.

import { didYouMean } from '../lib/did-you-mean.ts'
import {
  type Expression,
  ExpressionError,
  type PathNode,
  type Range,
  type Root,
  type ScalarKind,
  type Scope,
  type Shape,
  type Type,
  typeName,
} from './expression.ts'

export interface NameContext {
  readonly scope: Scope
  readonly elements: ReadonlyMap<string, Type>
}

export function findPath(
  checking: NameContext,
  before: Expression | 'this' | undefined,
  name: string,
  range: Range,
): PathNode {
  if (before === undefined) return start(checking, name, range)
  const root: Root = { kind: 'entry' }
  if (before === 'this') {
    const { entry } = checking.scope
    if (entry === undefined) throw new ExpressionError(range, 'there is no entry here')
    return below(
      { kind: 'path', root, names: [], types: [], type: { kind: 'entry', shape: entry }, range },
      name,
      range,
    )
  }
  if (before.kind !== 'path') throw new ExpressionError(range, 'only a name has attributes')
  return below(before, name, range)
}

function start({ scope, elements }: NameContext, name: string, range: Range): PathNode {
  const empty = { kind: 'path', names: [], types: [], range } as const
  const element = elements.get(name)
  if (element !== undefined) return { ...empty, root: { kind: 'element', name }, type: element }
  const variable = scope.variables.get(name)
  const { entry } = scope
  const attribute = entry?.member(name)
  if (variable !== undefined && attribute !== undefined)
    throw new ExpressionError(
      range,
      `"${name}" is an attribute of ${entry?.name}, and also a word of the language`,
      `write "this.${name}" for the attribute`,
    )
  if (variable !== undefined) return { ...empty, root: { kind: 'variable', name }, type: variable }
  if (entry === undefined)
    throw new ExpressionError(range, `there is no "${name}" here`, near(name, scope.variables.keys()))
  if (attribute === undefined)
    throw new ExpressionError(
      range,
      `${entry.name} has no attribute "${name}"`,
      near(name, [...entry.names, ...scope.variables.keys()]),
    )
  return below({ ...empty, root: { kind: 'entry' }, type: { kind: 'entry', shape: entry } }, name, range)
}

function below(path: PathNode, name: string, range: Range): PathNode {
  const { type } = path
  if (type.kind === 'entries')
    throw new ExpressionError(
      range,
      `"${path.names.join('.')}" leads to several entries, so it has no one "${name}"`,
      `write ${path.names.join('.')}.exists(one, one.${name} …)`,
    )
  if (type.kind !== 'entry') throw new ExpressionError(range, `${typeName(type)} has no attributes`)
  const found = getMember(type.shape, name, range)
  return { ...path, names: [...path.names, name], types: [...path.types, found], type: found, range }
}

function getMember(shape: Shape, name: string, range: Range): Type {
  const found = shape.member(name)
  if (found === undefined)
    throw new ExpressionError(range, `${shape.name} has no attribute "${name}"`, near(name, shape.names))
  if (typeof found === 'string') throw new ExpressionError(range, found)
  return found
}

function near(name: string, names: Iterable<string>): string | undefined {
  const known = [...names]
  const one = didYouMean(name, known)
  if (one !== undefined) return `did you mean "${one}"?`
  return known.length === 0 || known.length > 12 ? undefined : `there is ${known.join(', ')}`
}

export function getElement(elements: readonly Expression[], range: Range): ScalarKind {
  let found: ScalarKind | undefined
  for (const { type, range: place } of elements) {
    const { kind } = type
    if (kind === 'entry' || kind === 'entries' || kind === 'list' || kind === 'null')
      throw new ExpressionError(place, `a list cannot hold ${typeName(type)}`)
    if (found === undefined || (found === 'int' && kind === 'number')) found = kind
    else if (found !== kind && !(found === 'number' && kind === 'int'))
      throw new ExpressionError(place, `the values of a list must be of one type`)
  }
  if (found === undefined) throw new ExpressionError(range, 'an empty list holds nothing')
  return found
}
