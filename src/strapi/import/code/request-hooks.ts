// Finds project code that runs for every request: global middlewares, and hooks in `register` and
// `bootstrap`.

import { existsSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import type { GuardList } from '../guards.ts'
import { listCodeFiles, listFolders } from '../project-folder.ts'
import { buildResult, toPlain } from './code-values.ts'
import type { CodeValue } from './parse-expression.ts'
import { type Code, readCode } from './read-code.ts'
import { type GuardUse, toUse } from './read-routes.ts'
import type { Token } from './scan-tokens.ts'

const MAX_FILES = 300
/** Properties of `strapi` that let code run between a request and its response. */
const HOOKS =
  /^(?:use|controllers?|routes|policies|middlewares|policy|middleware|server|lifecycles|requestContext|contentAPI|auth|sanitizers|validators)$/
const GRAPHQL_HOOKS = /^(?:resolversConfig|shadowCRUD)$/
/** Hooks that are here, too, if the code of `src/index` is kept. */
const KEPT_HOOKS = /^(?:resolversConfig|shadowCRUD|use|lifecycles|requestContext)$/
const ENDINGS = [
  ...['', '.js', '.ts', '.mjs', '.cjs', '.mts', '.cts', '.json'],
  ...['/index.js', '/index.ts', '/index.json'],
]

interface Carrier {
  /** The files of `src/index`, if its hooks run. */
  readonly programFiles: ReadonlySet<string>
  /** Returns the reason if it cannot be carried over. */
  carryGlobal(use: GuardUse): Promise<string | undefined>
}

export async function findRequestHooks(folder: string, guards: GuardList, carrier: Carrier): Promise<void> {
  const kept = carrier.programFiles
  await findMiddlewares(folder, guards, carrier)
  const enabled = await readEnabledPlugins(folder)
  const waiting = [...(await listCodeFiles(join(folder, 'src'))).filter((file) => /\/index\.\w+$/.test(file))]
  for (const api of await listFolders(join(folder, 'src/api')))
    waiting.push(
      ...(await listCodeFiles(join(folder, 'src/api', api))).filter((file) => /\/index\.\w+$/.test(file)),
    )
  for (const plugin of await listFolders(join(folder, 'src/plugins'))) {
    // Strapi loads a plugin of the project if `config/plugins` names its folder.
    if (enabled?.has(plugin) === false) continue
    for (const place of ['.', 'server', 'server/src'])
      waiting.push(...(await listCodeFiles(join(folder, 'src/plugins', plugin, place))).filter(isServerCode))
  }
  const seen = new Set(waiting)
  for (const file of seen) {
    const place = relative(folder, file)
    if (kept.has(file)) continue
    if (seen.size > MAX_FILES) {
      guards.add('', `the code that starts with the project has more than ${MAX_FILES} files`)
      return
    }
    const code = await readCode(file)
    const hook = hookIn(code)
    if (hook !== undefined) guards.add('', `${place}:${hook.line}: ${hook.reason}`)
    for (const module of listModules(code)) {
      if (module.endsWith('.json')) continue
      const found = getFile(resolve(dirname(file), module))
      if (found === undefined) guards.add('', `${place}: ${module} is not found, and may guard every request`)
      else seen.add(found)
    }
  }
}

async function findMiddlewares(folder: string, guards: GuardList, carrier: Carrier): Promise<void> {
  const carried = new Set<string>()
  const environments = (await listFolders(join(folder, 'config/env'))).map((name) => `config/env/${name}`)
  for (const place of ['config', ...environments]) {
    for (const file of await listCodeFiles(join(folder, place))) {
      if (!/\/middlewares?\.\w+$/.test(file)) continue
      const code = await readCode(file)
      const name = relative(folder, file)
      const { exported } = code
      const list = buildResult(exported)
      if (list?.kind !== 'list') {
        guards.add('', `${name} is not understood, and may guard every request`)
        continue
      }
      for (const item of list.items) {
        const middleware = middlewareName(item)
        // `strapi::ip` may refuse addresses.
        if (middleware?.startsWith('strapi::') === true && middleware !== 'strapi::ip') continue
        const line = `${name}:${code.lineAt(item.at)}: ${middleware ?? 'a middleware'}`
        const use = toUse(toPlain(item))
        if (use !== undefined && carried.has(JSON.stringify(use))) continue
        const reason = await findReason(use, place, carrier)
        if (reason !== undefined) guards.add('', `${line} runs before every request (${reason})`)
        else {
          carried.add(JSON.stringify(use))
          guards.notes.add('taken', `${line} is kept`)
        }
      }
    }
  }
}

/** Why a middleware of every request cannot be carried over. */
async function findReason(
  use: GuardUse | undefined,
  place: string,
  carrier: Carrier,
): Promise<string | undefined> {
  if (use === undefined) return 'its settings are not understood'
  return place === 'config' ? carrier.carryGlobal(use) : `only ${place} has it`
}

function middlewareName(item: CodeValue): string | undefined {
  if (item.kind === 'text') return item.text
  if (item.kind !== 'object' || item.members.has('resolve')) return undefined
  const name = item.members.get('name')
  return name?.kind === 'text' ? name.text : undefined
}

/** The panel of a plugin runs in a browser, and settings of tools do not run. */
function isServerCode(file: string): boolean {
  return !/\/(?:strapi-admin\.\w+|[\w.-]+\.json)$/.test(file)
}

/** The folders of local plugins that `config/plugins` names; undefined if that is not understood. */
async function readEnabledPlugins(folder: string): Promise<ReadonlySet<string> | undefined> {
  const names = new Set<string>()
  const environments = (await listFolders(join(folder, 'config/env'))).map((name) => `config/env/${name}`)
  for (const place of ['config', ...environments])
    for (const file of await listCodeFiles(join(folder, place))) {
      if (!/\/plugins\.\w+$/.test(file)) continue
      const { tokens } = await readCode(file)
      if (tokens === undefined) return undefined
      for (const { kind, text } of tokens) {
        if (kind !== 'string' || !text.includes('plugins')) continue
        const [, name] = /plugins\/([\w.-]+)/.exec(text) ?? []
        // The folder is put together by code.
        if (name === undefined) return undefined
        names.add(name)
      }
    }
  return names
}

function hookIn(code: Code): { readonly line: number; readonly reason: string } | undefined {
  if (code.tokens === undefined)
    return { line: 1, reason: 'it is not understood, and may guard every request' }
  const [found] = listHooks(code)
  return found && { line: code.lineAt(found.at), reason: `"${found.text}" may guard every request` }
}

/** A hook that would not run here. */
export function findOtherHook(code: Code): string | undefined {
  return listHooks(code).find(({ text }) => !KEPT_HOOKS.test(text))?.text
}

function listHooks({ tokens = [] }: Code): readonly Token[] {
  return tokens.filter(({ kind, text }, index) => {
    if (GRAPHQL_HOOKS.test(text)) return true
    if (text === 'server' && isHarmlessServer(tokens.slice(index + 1, index + 5))) return false
    const before = tokens[index - 1]?.text
    if (HOOKS.test(text))
      return before === (kind === 'string' ? '[' : '.') || isTakenFromStrapi(tokens, index)
    return before === '(' && /^(?:require|import)$/.test(tokens[index - 2]?.text ?? '') && kind !== 'string'
  })
}

/** `strapi.server.httpServer` as an argument, as socket.io takes it, and `strapi.server.app.proxy = …` see no request of the API. */
function isHarmlessServer(next: readonly Token[]): boolean {
  const [dot, name, third, fourth] = next.map(({ text }) => text)
  if (dot !== '.') return false
  if (name === 'httpServer') return third === ',' || third === ')'
  return name === 'app' && third === '.' && fourth === 'proxy'
}

function isTakenFromStrapi(tokens: readonly Token[], index: number): boolean {
  const end = tokens.findIndex(({ text }, place) => place > index && text === '}')
  return tokens[end + 1]?.text === '=' && tokens[end + 2]?.text === 'strapi'
}

/** The file, and those that it imports by their place, each once. */
export async function listReached(file: string, withJson = false): Promise<readonly string[]> {
  const reached = new Set([file])
  for (const one of reached) {
    if (reached.size > MAX_FILES) break
    for (const module of listModules(await readCode(one))) {
      const found = getFile(resolve(dirname(one), module))
      if (found !== undefined && (withJson || !found.endsWith('.json'))) reached.add(found)
    }
  }
  return [...reached]
}

function listModules({ tokens = [] }: Code): readonly string[] {
  return tokens.flatMap(({ kind, text }, index) => {
    const [before, call] = [tokens[index - 1]?.text ?? '', tokens[index - 2]?.text ?? '']
    const isModule = /^(?:from|import)$/.test(before) || (before === '(' && /^(?:require|import)$/.test(call))
    return kind === 'string' && isModule && text.startsWith('.') ? [text] : []
  })
}

function getFile(path: string): string | undefined {
  return ENDINGS.map((ending) => path + ending).find((file) => existsSync(file) && statSync(file).isFile())
}
