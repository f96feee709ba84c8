// Reads Strapi's file `src/extensions/users-permissions/strapi-server` without running it.

import { readCode } from './read-code.ts'
import { listReached } from './request-hooks.ts'
import type { Token } from './scan-tokens.ts'

type Kind = 'policies' | 'middlewares'

interface Extension {
  /** Handlers of its routes: `user.updateMe`. */
  readonly handlers: readonly string[]
  /** That its routes name. */
  readonly guards: readonly { readonly kind: Kind; readonly name: string }[]
}

/** Returns the reason if the configuration cannot name it. Its modules count, too. */
export async function readExtension(file: string): Promise<Extension | string> {
  const { tokens: main } = await readCode(file)
  const parameter = main && findParameter(main)
  if (parameter === undefined) return 'it is not understood'
  const handlers: string[] = []
  const guards: Extension['guards'][number][] = []
  for (const reached of await listReached(file)) {
    const { tokens = [] } = await readCode(reached)
    const fault = findFault(tokens, parameter)
    if (fault !== undefined) return fault
    const added = listHandlers(tokens)
    if (added.length === 0 && reached !== file) continue
    handlers.push(...added)
    for (const kind of ['policies', 'middlewares'] as const) {
      const found = listGuards(tokens, kind)
      if (found === 'unknown') return 'guards of its routes are not names'
      guards.push(...found)
    }
  }
  return { handlers, guards }
}

function findFault(tokens: readonly Token[], parameter: string): string | undefined {
  for (const index of tokens.keys()) {
    const other = isUse(tokens, index, parameter) ? findOtherUse(tokens, index) : undefined
    if (other !== undefined) return other
  }
  return undefined
}

/** Of the exported function: `module.exports = (plugin) =>`, `export default async function (plugin)`. */
function findParameter(tokens: readonly Token[]): string | undefined {
  const texts = tokens.map(({ text }) => text)
  const at = texts.findIndex(
    (text, index) =>
      (text === 'exports' && texts[index + 1] === '=') ||
      (text === 'default' && texts[index - 1] === 'export'),
  )
  // esbuild prints `export default x` as `var x_default = …; export { x_default as default }`.
  const named = at === -1 ? texts.findIndex((text) => text.endsWith('_default')) : at
  if (named === -1) return undefined
  const start = texts.slice(named + 1, named + 6)
  const [first] = start.filter((text) => !/^(?:=|\(|async|function|\w+_default)$/.test(text))
  return first !== undefined && /^[A-Za-z_$][\w$]*$/.test(first) ? first : undefined
}

function isUse(tokens: readonly Token[], index: number, parameter: string): boolean {
  const [before, token, after] = [tokens[index - 1]?.text, tokens[index], tokens[index + 1]?.text]
  return token?.kind === 'name' && token.text === parameter && before !== '.' && after !== ':'
}

/** A function may use the controllers and routes of the plugin, return it, and hand it to others. */
function findOtherUse(tokens: readonly Token[], index: number): string | undefined {
  const [before, after, second, third] = [-1, 1, 2, 3].map((step) => tokens[index + step]?.text)
  if (after !== '.' && after !== '?') {
    if (after === '[') return 'it changes computed members of the plugin'
    return before === '...' || before === '=' ? 'it copies the plugin' : undefined
  }
  const name = after === '?' ? third : second
  if (name === 'controllers' || name === 'routes') return undefined
  return `it changes ${name ?? 'other members'} of the plugin`
}

function listHandlers(tokens: readonly Token[]): readonly string[] {
  return tokens.flatMap(({ text }, index) => {
    const value = tokens[index + 2]
    const isHandler = text === 'handler' && tokens[index + 1]?.text === ':' && value?.kind === 'string'
    return isHandler && /^[\w-]+\.\w+$/.test(value.text) ? [value.text] : []
  })
}

/** `policies: ["global::is-self"]`, and assignments of such a list. */
function listGuards(tokens: readonly Token[], kind: Kind): Extension['guards'] | 'unknown' {
  const found: { readonly kind: Kind; readonly name: string }[] = []
  for (const [index, { text }] of tokens.entries()) {
    if (text !== kind) continue
    const [sign, open] = tokens.slice(index + 1, index + 3).map((one) => one.text)
    if ((sign !== ':' && sign !== '=') || open !== '[') return 'unknown'
    for (const { kind: of, text: name } of tokens.slice(index + 3)) {
      if (name === ']' && of === 'sign') break
      if (of === 'string') found.push({ kind, name })
      else if (name !== ',') return 'unknown'
    }
  }
  return found
}
