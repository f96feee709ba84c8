// Compiles a CEL expression (Common Expression Language) into a policy. An expression that fails at run time,
// or gets too many values, denies.

import type { ASTNode, Environment } from '@marcbachmann/cel-js'
import { BoundedCache } from '../lib/bounded-cache.ts'
import { didYouMean } from '../lib/did-you-mean.ts'
import { isRecord } from '../lib/is-record.ts'
import { compileLinearRegex } from '../lib/linear-regex.ts'
import type { BoundPolicy, PolicyContext } from './policy.ts'

const VARIABLES = ['state', 'args', 'params', 'query', 'body', 'parent', 'config', 'http'] as const

const LIMITS = { maxAstNodes: 1000, maxDepth: 50, maxListElements: 500, maxMapEntries: 100 }
/** `list.all(x, list.all(y, …))` has a depth of 2. */
const MAX_LOOP_DEPTH = 2
/** With more, the policy denies. */
const MAX_VALUES = 10_000
const MAX_LIST_LENGTH = 1000
/** Limited because patterns may come from clients. */
const MAX_CACHED_PATTERNS = 50

type CompiledCel =
  | { readonly ok: true; bind(config: unknown): BoundPolicy }
  | {
      readonly ok: false
      readonly message: string
      readonly help?: string | undefined
      readonly range: readonly [start: number, end: number]
    }

export async function compileCel(expression: string): Promise<CompiledCel> {
  // Loaded only when a configuration has an expression.
  const cel = await import('@marcbachmann/cel-js')
  const environment = createEnvironment(
    new cel.Environment({ limits: LIMITS, homogeneousAggregateLiterals: false }),
  )
  const text = withLinearMatches(expression)
  const checked = environment.check(text)
  const whole = [0, expression.length] as const
  if (!checked.valid) {
    const { error } = checked
    const message = (error?.summary ?? error?.message ?? 'it does not compile').replaceAll(LINEAR, 'matches')
    const range = error?.range === undefined ? whole : shownRange(error.range, expression)
    return { ok: false, message: uncapitalized(message), range, help: helpFor(expression.slice(...range)) }
  }
  if (checked.type !== 'bool' && checked.type !== 'dyn') {
    return { ok: false, message: `it is never true: its value is of type ${checked.type}`, range: whole }
  }
  const run = environment.parse(text)
  const loop = tooNested(run.ast, 0)
  if (loop !== undefined) {
    const message = `loops may stand ${MAX_LOOP_DEPTH} deep in each other, not deeper`
    return {
      ok: false,
      message,
      range: loop.range === undefined ? whole : [loop.range.start, loop.range.end],
    }
  }
  const used = VARIABLES.filter((name) => names(run.ast, name))
  return {
    ok: true,
    bind: (config) => ({
      called: `the policy "${expression}"`,
      run(context) {
        try {
          return run(valuesFor(used, context, config)) === true
        } catch {
          // A run-time error, such as a missing key, denies the request.
          return false
        }
      },
    }),
  }
}

function createEnvironment(environment: Environment): Environment {
  for (const name of VARIABLES) environment.registerVariable(name, 'dyn')
  const patterns = new BoundedCache<(value: string) => boolean>({ budget: MAX_CACHED_PATTERNS })
  environment.registerFunction(`string.${LINEAR}(string): bool`, (text: string, pattern: string) => {
    const matches = patterns.get(pattern) ?? compileLinearRegex(pattern)
    patterns.set(pattern, matches)
    return matches(text)
  })
  return environment
}

/** As long as `matches`, so that positions in the expression stay the same. */
const LINEAR = 're2test'

/** Replaces `matches`, which backtracks: a client could keep it busy for minutes. String literals stay unchanged. */
function withLinearMatches(expression: string): string {
  return expression.replace(/(["'])(?:\\.|(?!\1)[^\\])*\1|\.matches(?=\s*\()/g, (found) =>
    found === '.matches' ? `.${LINEAR}` : found,
  )
}

/** An error at the end is shown at the last character, not on the line after a block of text. */
function shownRange(
  { start, end }: { readonly start: number; readonly end: number },
  expression: string,
): readonly [number, number] {
  const last = Math.max(1, expression.trimEnd().length)
  return start >= last ? [last - 1, last] : [start, end]
}

function helpFor(named: string): string | undefined {
  if (!/^[A-Za-z_]\w*$/.test(named)) return undefined
  const near = didYouMean(named, VARIABLES)
  return near === undefined ? `an expression may name ${VARIABLES.join(', ')}` : `did you mean "${near}"?`
}

function uncapitalized(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}

const LOOPS: ReadonlySet<unknown> = new Set(['all', 'exists', 'exists_one', 'map', 'filter'])

function* walkChildren(value: unknown): Generator<ASTNode> {
  if (Array.isArray(value)) for (const one of value) yield* isNode(one) ? [one] : walkChildren(one)
}

function isNode(value: unknown): value is ASTNode {
  return isRecord(value) && 'op' in value && 'args' in value
}

function tooNested(node: ASTNode, depth: number): ASTNode | undefined {
  const args: unknown = node.args
  const loops = node.op === 'rcall' && Array.isArray(args) && LOOPS.has(args[0])
  const inside = depth + (loops ? 1 : 0)
  if (inside > MAX_LOOP_DEPTH) return node
  for (const child of walkChildren(isNode(args) ? [args] : args)) {
    const found = tooNested(child, inside)
    if (found !== undefined) return found
  }
  return undefined
}

function names(node: ASTNode, variable: string): boolean {
  const args: unknown = node.args
  if (node.op === 'id') return args === variable
  for (const child of walkChildren(isNode(args) ? [args] : args)) if (names(child, variable)) return true
  return false
}

function valuesFor(
  used: readonly string[],
  context: PolicyContext,
  config: unknown,
): Record<string, unknown> {
  const budget = { left: MAX_VALUES }
  const given = (name: string): unknown => (name === 'config' ? config : context[name])
  return Object.fromEntries(used.map((name) => [name, celValue(given(name), budget)]))
}

/** Whole numbers become `int`, undefined becomes null. */
function celValue(value: unknown, budget: { left: number }): unknown {
  budget.left -= 1
  if (budget.left < 0) throw new RangeError('more values than an expression may look at')
  if (value === undefined || value === null) return null
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint') return value
  if (value instanceof Date) return value
  if (Array.isArray(value)) {
    if (value.length > MAX_LIST_LENGTH) throw new RangeError('a list too long for an expression')
    return value.map((one) => celValue(one, budget))
  }
  if (typeof value !== 'object') return null
  const entries = Object.entries(value).filter(([, one]) => typeof one !== 'function')
  return Object.fromEntries(entries.map(([name, one]) => [name, celValue(one, budget)]))
}
