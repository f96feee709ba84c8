// Parses a module that exports one value, and the constants that it is made of. Other statements are passed over; names that
// they mention count as changed.

import { type CodeValue, parseExpression } from './parse-expression.ts'
import type { Token } from './scan-tokens.ts'
import { createTokenCursor } from './token-cursor.ts'

interface Constant {
  readonly value: CodeValue
  readonly names: readonly string[]
  /** Whether no code can change it: a text, number or boolean of `const`. */
  readonly isFixed: boolean
}

/** Undefined if the module exports several values, or changes its exports. */
export function parseModule(tokens: readonly Token[]): CodeValue | undefined {
  const cursor = createTokenCursor(tokens)
  const { take, peek, nameHere } = cursor
  const constants = new Map<string, Constant>()
  const origins = new Map<string, string>()
  const exported: CodeValue[] = []
  const expression = (): CodeValue => parseExpression(cursor, origins)
  while (!cursor.atEnd()) if (!statement()) return undefined
  // A later assignment of `module.exports` replaces an earlier one.
  const last = exported.at(-1)
  return last && resolveNames(last, constants, cursor.mentioned)

  function statement(): boolean {
    if (cursor.token()?.kind === 'string') {
      cursor.goTo(cursor.position() + 1)
      return take(';')
    }
    if (take('import')) return imports()
    // As TypeScript prints it.
    if (takeModuleMark()) return true
    if (
      take('export', 'default') ||
      take('module', '.', 'exports', '=') ||
      take('exports', '.', 'default', '=')
    ) {
      exported.push(expression())
      return take(';')
    }
    take('export')
    const from = cursor.position()
    const isConst = peek() === 'const'
    if ((take('const') || take('let') || take('var')) && declarations(isConst)) return true
    cursor.goTo(from)
    if (functionDeclaration()) return true
    cursor.goTo(from)
    cursor.skipStatement()
    return !tokens.slice(from, cursor.position()).some(isExport)
  }

  /** `Object.defineProperty(exports, "__esModule", { value: true });` */
  function takeModuleMark(): boolean {
    const from = cursor.position()
    if (take('Object', '.', 'defineProperty', '(', 'exports', ',') && cursor.token()?.text === '__esModule') {
      cursor.goTo(cursor.position() + 1)
      if (take(',', '{', 'value', ':', 'true', '}', ')', ';')) return true
    }
    cursor.goTo(from)
    return false
  }

  /** `import a, { b as c } from "x";` */
  function imports(): boolean {
    const from = cursor.position()
    while (!cursor.atEnd() && peek() !== ';') cursor.goTo(cursor.position() + 1)
    const words = tokens.slice(from, cursor.position())
    const module = words.find(({ kind }) => kind === 'string')?.text
    if (module === undefined) return false
    let isMember = false
    for (const [index, { kind, text }] of words.entries()) {
      if (kind === 'sign' && /^[{}]$/.test(text)) isMember = text === '{'
      if (kind !== 'name' || text === 'from' || text === 'as' || words[index + 1]?.text === 'as') continue
      const member = words[index - 1]?.text === 'as' ? words[index - 2]?.text : text
      origins.set(text, isMember ? `${module}.${member}` : module)
    }
    return take(';')
  }

  /** `a = …, { b, c: d } = …;` */
  function declarations(isConst: boolean): boolean {
    do {
      const names = pattern()
      if (names === undefined || !take('=')) return false
      const from = cursor.position()
      const origin = required()
      const value = origin === undefined ? expression() : undefined
      const mentions = tokens
        .slice(from, cursor.position())
        .map(({ kind, text }) => (kind === 'name' ? text : ''))
      for (const [name, member] of names) {
        if (origin !== undefined) origins.set(name, member === '' ? origin : `${origin}.${member}`)
        else if (value !== undefined)
          constants.set(name, {
            value: member === '' ? value : { kind: 'unknown', at: value.at },
            names: mentions,
            isFixed: isConst && member === '' && (value.kind === 'text' || value.kind === 'literal'),
          })
      }
    } while (take(','))
    return take(';')
  }

  /** Returns each name with the destructured member; '' for the value itself. */
  function pattern(): readonly (readonly [name: string, member: string])[] | undefined {
    const one = (): string | undefined => {
      const name = nameHere()
      if (name !== undefined) cursor.goTo(cursor.position() + 1)
      return name
    }
    if (!take('{')) {
      const name = one()
      return name === undefined ? undefined : [[name, '']]
    }
    return cursor.series('}', () => {
      const member = one()
      const name = take(':') ? one() : member
      return name === undefined || member === undefined ? undefined : ([name, member] as const)
    })
  }

  /** `require("x").y` or `imported.y`. */
  function required(): string | undefined {
    const start = cursor.position()
    let path = origins.get(nameHere() ?? '')
    if (take('require', '(')) {
      path = cursor.token()?.kind === 'string' ? cursor.token()?.text : undefined
      cursor.goTo(cursor.position() + 1)
      if (!take(')')) path = undefined
    } else cursor.goTo(start + 1)
    for (
      let next = nameHere(1);
      path !== undefined && peek() === '.' && next !== undefined;
      next = nameHere(1)
    ) {
      path = `${path}.${next}`
      cursor.goTo(cursor.position() + 2)
    }
    if (path !== undefined && (peek() === ';' || peek() === ',')) return path
    cursor.goTo(start)
    return undefined
  }

  function functionDeclaration(): boolean {
    take('async')
    if (!take('function')) return false
    take('*')
    const name = nameHere()
    if (name === undefined) return false
    constants.set(name, { value: { kind: 'unknown', at: cursor.offset() }, names: [], isFixed: false })
    cursor.goTo(cursor.position() + 1)
    if (peek() !== '(') return false
    cursor.skipBlock()
    if (peek() !== '{') return false
    cursor.skipBlock()
    return true
  }
}

function isExport({ kind, text }: Token): boolean {
  return kind === 'name' && (text === 'module' || text === 'exports' || text === 'export')
}

/**
 * Leaves out names that other code mentions, and names in their values, because that code may change them. Of fixed values only
 * those in functions, whose parameters may have the same name.
 */
function resolveNames(
  exported: CodeValue,
  constants: ReadonlyMap<string, Constant>,
  mentioned: ReadonlySet<string>,
): CodeValue {
  const tainted = new Set(mentioned)
  for (const name of tainted) for (const inner of constants.get(name)?.names ?? []) tainted.add(inner)
  const known = new Map<string, CodeValue>()

  function named(name: string, at: number, isInFunction: boolean): CodeValue {
    const constant = constants.get(name)
    const unknown = { kind: 'unknown', at } as const
    if (constant?.isFixed === true && !isInFunction) return constant.value
    if (constant === undefined || tainted.has(name)) return unknown
    const value = known.get(name)
    if (value !== undefined) return value
    // Prevents endless recursion for a name that refers to itself.
    known.set(name, unknown)
    const found = resolve(constant.value, true)
    known.set(name, found)
    return found
  }

  function resolve(value: CodeValue, isInFunction: boolean): CodeValue {
    const inner = (one: CodeValue): CodeValue => resolve(one, isInFunction)
    switch (value.kind) {
      case 'name':
        return named(value.name, value.at, isInFunction)
      case 'list':
        return { ...value, items: value.items.map(inner) }
      case 'object':
        return { ...value, members: new Map([...value.members].map(([name, one]) => [name, inner(one)])) }
      case 'call':
        return { ...value, args: value.args.map(inner) }
      case 'function':
        return { ...value, result: resolve(value.result, true) }
      default:
        return value
    }
  }

  return resolve(exported, false)
}
