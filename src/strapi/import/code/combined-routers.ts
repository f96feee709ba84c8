// Reads routers of the form that Strapi's guides show: `module.exports = customRouter(defaultRouter, myExtraRoutes)`, where a
// function of the module adds routes to those of a core router.

import type { CodeValue } from './parse-expression.ts'
import { parseModule } from './parse-module.ts'
import { isSign, type Token } from './scan-tokens.ts'

/** The names that the function may use beside its parameters: it can then do nothing but put routes together. */
const WORDS: ReadonlySet<string> = new Set([
  ...['const', 'let', 'var', 'return', 'get', 'if', 'function'],
  ...['prefix', 'type', 'routes', 'concat'],
])

interface Combiner {
  readonly start: number
  readonly end: number
  /** The place of the core router among the arguments. */
  readonly inner: 0 | 1
}

/** Returns the core router and a router of the other routes; undefined for a module of another form. */
export function splitCombinedRouter(
  tokens: readonly Token[],
): readonly [CodeValue | undefined, CodeValue | undefined] | undefined {
  const texts = tokens.map(({ text }) => text)
  const exported = findExport(texts)
  const name = exported === undefined ? undefined : texts[exported]
  if (exported === undefined || name === undefined || texts[exported + 1] !== '(') return undefined
  const args = splitArguments(tokens, exported + 1)
  const combiner = findCombiner(tokens, name)
  if (args?.length !== 2 || combiner === undefined) return undefined
  const others = tokens.filter(
    (_, index) => index < exported && (index < combiner.start || index > combiner.end),
  )
  const parse = (inside: readonly Token[], before = '', after = ''): CodeValue | undefined =>
    parseModule([...others, ...toSigns(before), ...inside, ...toSigns(`${after} ;`)])
  const [core = [], more = []] = combiner.inner === 0 ? args : [...args].reverse()
  return [parse(core), parse(more, '{ routes :', '}')]
}

/** The place behind `module.exports =` or `export default`. */
function findExport(texts: readonly string[]): number | undefined {
  const at = texts.findLastIndex(
    (text, index) =>
      (text === '=' && texts[index - 1] === 'exports' && texts[index - 3] === 'module') ||
      (text === 'default' && texts[index - 1] === 'export'),
  )
  return at === -1 ? undefined : at + 1
}

/** Of the call whose bracket stands at `open`. */
function splitArguments(tokens: readonly Token[], open: number): readonly (readonly Token[])[] | undefined {
  const args: Token[][] = [[]]
  let depth = 0
  for (const token of tokens.slice(open)) {
    if (isSign(token, ')', ']', '}')) depth -= 1
    if (depth === 0 && isSign(token, ')')) return args
    if (depth === 1 && isSign(token, ',')) args.push([])
    else if (depth > 0) args.at(-1)?.push(token)
    if (isSign(token, '(', '[', '{')) depth += 1
  }
  return undefined
}

function findCombiner(tokens: readonly Token[], name: string): Combiner | undefined {
  const start = tokens.findIndex(
    ({ text }, index) => /^(?:const|let|var|function)$/.test(text) && tokens[index + 1]?.text === name,
  )
  const open = tokens.findIndex(({ text }, index) => index > start && text === '(')
  const parameters = start === -1 ? undefined : splitArguments(tokens, open)
  const [first, second] = parameters?.map(([parameter]) => parameter?.text) ?? []
  const end = findEnd(tokens, open)
  if (first === undefined || second === undefined || end === undefined) return undefined
  const body = tokens.slice(start, end + 1)
  const isPlain = body.every(
    ({ kind, text }) =>
      kind === 'sign' || (kind === 'name' && (WORDS.has(text) || [name, first, second].includes(text))),
  )
  const inner = [first, second].findIndex((parameter) =>
    body.some(
      ({ text }, index) =>
        text === parameter && body[index + 1]?.text === '.' && body[index + 2]?.text === 'routes',
    ),
  )
  return isPlain && (inner === 0 || inner === 1) ? { start, end, inner } : undefined
}

/** Of the block of the function whose parameters begin at `open`, with its semicolon. */
function findEnd(tokens: readonly Token[], open: number): number | undefined {
  let depth = 0
  let isInBlock = false
  for (let at = open; at < tokens.length; at++) {
    const token = tokens[at]
    if (token === undefined) return undefined
    if (isSign(token, '(', '[', '{')) {
      isInBlock ||= depth === 0 && token.text === '{'
      depth += 1
    }
    if (!isSign(token, ')', ']', '}')) continue
    depth -= 1
    if (depth === 0 && isInBlock) return tokens[at + 1]?.text === ';' ? at + 1 : at
  }
  return undefined
}

function toSigns(text: string): readonly Token[] {
  return text
    .split(' ')
    .filter((one) => one !== '')
    .map((one) => ({ kind: /\w/.test(one) ? 'name' : 'sign', text: one, at: 0 }))
}
