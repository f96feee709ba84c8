// Loads the parser of expressions once, and only for configurations that have expressions, so that later
// parsing is synchronous.

import type { ASTNode } from '@marcbachmann/cel-js'
import { InvariantError } from '../lib/errors/invariant.ts'
import { ExpressionError } from './expression.ts'

const LIMITS = { maxAstNodes: 500, maxDepth: 30, maxListElements: 200, maxMapEntries: 50 }
/** Characters of one expression. */
const MAX_EXPRESSION_LENGTH = 4000

let parser: ((text: string) => ASTNode) | undefined

/** Must have been awaited before an expression is parsed. */
export async function loadExpressionParser(): Promise<void> {
  if (parser !== undefined) return
  const { Environment } = await import('@marcbachmann/cel-js')
  const environment = new Environment({ limits: LIMITS, homogeneousAggregateLiterals: false })
  parser = (text) => environment.parse(text).ast
}

/** Throws ExpressionError for an invalid expression. */
export function parseText(text: string): ASTNode {
  if (parser === undefined)
    throw new InvariantError('the parser of expressions is loaded before the model is built')
  if (text.length > MAX_EXPRESSION_LENGTH)
    throw new ExpressionError([0, text.length], `it is longer than ${MAX_EXPRESSION_LENGTH} characters`)
  try {
    return parser(text)
  } catch (error) {
    throw new ExpressionError(getRange(error, text), formatMessage(error), helpFor(text))
  }
}

const TRANSLATIONS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/([^=!<>])=(?![=])/g, '$1=='],
  [/===/g, '=='],
  [/!==/g, '!='],
  [/<>/g, '!='],
  [/(\w)\.id\s*==\s*\$(?:user|me)\.id\b/gi, '$1 == me'],
  [/\$(?:user|me)(?:\.id)?\b/gi, 'me'],
  [/\s+and\s+/gi, ' && '],
  [/\s+or\s+/gi, ' || '],
  [/\bnot\s+(?=\w)/gi, '!'],
]

function helpFor(text: string): string | undefined {
  let meant = text
  for (const [pattern, replacement] of TRANSLATIONS) meant = meant.replace(pattern, replacement)
  if (meant === text || parser === undefined) return undefined
  try {
    parser(meant)
  } catch {
    return undefined
  }
  return `write "${meant}"`
}

function formatMessage(error: unknown): string {
  const { summary, message } = error as { readonly summary?: string; readonly message?: string }
  const text = (summary ?? message ?? 'it is no expression').split('\n')[0] ?? ''
  return (text.slice(0, 1).toLowerCase() + text.slice(1)).replace('token: EOF', 'end')
}

/** An error at the end is shown at the last character. */
function getRange(error: unknown, text: string): readonly [number, number] {
  const { range } = error as { readonly range?: { readonly start: number; readonly end: number } }
  if (range === undefined) return [0, text.length]
  const last = Math.max(1, text.trimEnd().length)
  return range.start >= last ? [last - 1, last] : [range.start, Math.max(range.end, range.start + 1)]
}
