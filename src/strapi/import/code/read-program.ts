// Reads `register` and `bootstrap` of a project's `src/index` without running them.

import { relative } from 'node:path'
import { PLUGIN_SERVICES } from '../../../lib/strapi-object.ts'
import { listAbsentParts } from './absent-parts.ts'
import { readCode } from './read-code.ts'
import { findOtherHook, listReached } from './request-hooks.ts'
import { isSign, type Token } from './scan-tokens.ts'

interface Program {
  /** Why the configuration cannot name it. */
  readonly fault: string | undefined
  /** The file and its modules: absolute paths. */
  readonly reached: readonly string[]
  /** What works differently. */
  readonly notes: readonly string[]
}

/** Undefined if its functions are empty. */
export async function readProgram(
  file: string,
  folder: string,
  hasGraphql: boolean,
): Promise<Program | undefined> {
  const { exported, tokens = [] } = await readCode(file)
  const refuse = (fault: string): Program => ({ fault, reached: [], notes: [] })
  if (exported?.kind !== 'object') return refuse('it is not understood')
  const names = [...exported.members.keys()].filter((name) => !isEmptyFunction(tokens, name))
  if (names.length === 0) return undefined
  const other = names.find((name) => name !== 'register' && name !== 'bootstrap')
  if (other !== undefined) return refuse(`there is no ${other}`)
  const reached = await listReached(file)
  const notes: string[] = []
  for (const one of reached) {
    const code = await readCode(one)
    const { tokens: inner = [] } = code
    const subscribed = listSubscribedModels(inner).filter(({ text }) => text.startsWith(ADMIN))
    const others = inner.filter((token) => !subscribed.includes(token))
    const [absent = findOtherHook(code)] = [...listAbsentParts(inner).keys(), ...listAbsentTypes(others)]
    if (absent !== undefined) return refuse(`${relative(folder, one)} asks for ${absent}`)
    if (loadsAtRunTime(inner)) return refuse(`${relative(folder, one)} loads files by computed names`)
    if (hasGraphql && mayChangeReads(inner))
      return refuse(`${relative(folder, one)} uses documents.use, which reads of GraphQL do not pass`)
    for (const { text, at } of subscribed)
      notes.push(
        `${relative(folder, one)}:${code.lineAt(at)}: the hooks of ${text} never run: there is no admin panel`,
      )
  }
  return { fault: undefined, reached, notes }
}

/** Such files are not bundled, and Node loads no TypeScript. */
function loadsAtRunTime(tokens: readonly Token[]): boolean {
  return tokens.some(({ kind, text }, index) => {
    if (kind !== 'name') return false
    const [open, value] = [tokens[index + 1]?.text, tokens[index + 2]]
    if (text === 'createRequire') return open === '('
    return (text === 'require' || text === 'import') && open === '(' && value?.kind !== 'string'
  })
}

const ADMIN = 'admin::'

/** The texts of `models: […]` in `subscribe({ … })`. */
function listSubscribedModels(tokens: readonly Token[]): readonly Token[] {
  return tokens.flatMap(({ text }, index) => {
    if (text !== 'subscribe' || tokens[index + 1]?.text !== '(' || tokens[index + 2]?.text !== '{') return []
    const start = findMember(tokens, index + 3, 'models')
    if (start === undefined || tokens[start]?.text !== '[') return []
    const end = tokens.findIndex((token, place) => place > start && isSign(token, ']'))
    return tokens.slice(start, end).filter(({ kind }) => kind === 'string')
  })
}

/** The place of its value in the object whose members begin at `from`. */
function findMember(tokens: readonly Token[], from: number, name: string): number | undefined {
  let open = 1
  for (let at = from; at < tokens.length && open > 0; at++) {
    const token = tokens[at]
    if (token === undefined) break
    if (open === 1 && token.text === name && tokens[at + 1]?.text === ':') return at + 2
    if (isSign(token, '(', '[', '{')) open += 1
    if (isSign(token, ')', ']', '}')) open -= 1
  }
  return undefined
}

/** `bootstrap(…) {}`, `bootstrap: () => {}`. */
function isEmptyFunction(tokens: readonly Token[], name: string): boolean {
  const start = tokens.findIndex(({ text }) => text === name)
  const end = tokens.findIndex(({ text }, index) => index > start && text === ')')
  const [first, second, third] = tokens.slice(end + 1, end + 4).map(({ text }) => text)
  return (first === '{' && second === '}') || (first === '=>' && second === '{' && third === '}')
}

const READS: ReadonlySet<string> = new Set(['findMany', 'findOne', 'findFirst', 'count'])
const WRITES: ReadonlySet<string> = new Set([
  ...['create', 'update', 'delete', 'publish', 'unpublish', 'discardDraft'],
])

/** A middleware of documents that names only actions that write leaves reads alone. */
function mayChangeReads(tokens: readonly Token[]): boolean {
  const uses = tokens.some(
    ({ text }, index) =>
      text === 'documents' && tokens[index + 1]?.text === '.' && tokens[index + 2]?.text === 'use',
  )
  if (!uses) return false
  const names = tokens.flatMap(({ kind, text }) => (kind === 'string' ? [text] : []))
  return names.some((name) => READS.has(name)) || !names.some((name) => WRITES.has(name))
}

const PLUGIN_TYPES: ReadonlySet<string> = new Set([
  'plugin::users-permissions.user',
  'plugin::users-permissions.role',
  'plugin::users-permissions.permission',
  'plugin::upload.file',
])

/** Content-types of plugins and of the admin panel that are not here. */
function listAbsentTypes(tokens: readonly Token[]): readonly string[] {
  return tokens.flatMap(({ kind, text }) =>
    kind === 'string' &&
    /^(?:plugin::[\w-]+\.|admin::|strapi::)[\w-]+$/.test(text) &&
    !PLUGIN_TYPES.has(text) &&
    !PLUGIN_SERVICES.has(text)
      ? [text]
      : [],
  )
}
