// Carries code of a project over: the configuration names its files where they stand.

import { basename, extname, join, relative } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { invariant } from '../../../lib/errors/invariant.ts'
import type { CarriedCode } from '../guards.ts'
import { type ImportNotes, toLine } from '../import-notes.ts'
import { listCodeFiles } from '../project-folder.ts'
import type { Json } from '../strapi-source.ts'
import { buildKey } from './compare-requests.ts'
import { readCode } from './read-code.ts'
import { readExtension } from './read-extension.ts'
import type { OwnMethods } from './read-methods.ts'
import { readProgram } from './read-program.ts'
import { CORE_ACTIONS, type GuardUse, type Route } from './read-routes.ts'

export interface CarryOptions {
  /** The folder of the configuration. */
  readonly directory: string
  /** The reason why a file cannot be loaded. */
  findLoadFault(file: string): Promise<string | undefined>
  /** A folder in `directory`, to which the code is copied. */
  readonly copyFolder?: string | undefined
  /** Whether the API has GraphQL. */
  readonly hasGraphql: boolean
}

/** As the configuration asks for it. */
const REFERENCE = /^\.{1,2}\/\S*\.(?:[cm]?js|m?ts)$/

const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
const PATH = /^(?:\/(?::[A-Za-z_]\w*|[\w.~-]+))+$/

/** Of a configuration. */
const MAX_REASON_CHARACTERS = 1000

type Kind = 'policies' | 'middlewares'

interface FoundFile {
  readonly file: string
  readonly names: readonly string[]
}

interface Controller {
  readonly file: string
  readonly names: ReadonlySet<string>
  readonly hasCore: boolean
}

export class CodeCarrier implements CarriedCode {
  readonly policies = new Map<string, string>()
  readonly middlewares = new Map<string, string>()
  readonly options = new Map<string, Json>()
  readonly lifecycles = new Map<string, string>()
  readonly services = new Map<string, string>()
  readonly settings = new Map<string, string>()
  /** By method and path. */
  readonly routes = new Map<string, Json>()
  readonly requests: (Json | string)[] = []
  extensions: string | undefined
  userExtension: string | undefined
  /** Permissions of routes that it adds. */
  readonly addedActions = new Set<string>()
  /** Absolute paths: `src/index` and its modules, if they are taken. */
  readonly programFiles = new Set<string>()
  /** Absolute paths. */
  readonly files = new Set<string>()
  readonly #folder: string
  readonly #given: CarryOptions
  /** By uid. */
  readonly #controllers = new Map<string, Controller>()
  /** By file: many routes name the same. */
  readonly #faults = new Map<string, Promise<string | undefined>>()

  constructor(folder: string, given: CarryOptions) {
    this.#folder = folder
    this.#given = given
  }

  /** As the other `carry…`, returns the reason if it cannot be carried over; then nothing of it is. */
  async carryController({ uid, file, names, hasCore }: OwnMethods): Promise<string | undefined> {
    if (uid === undefined || names === undefined) return 'it is not understood'
    if (names.length === 0 && !hasCore) return undefined
    const fault = await this.findFault(file)
    if (fault === undefined) this.#controllers.set(uid, { file, names: new Set(names), hasCore })
    return fault
  }

  /** `isOfType`: generated actions ask it. */
  async carryService({ uid, file, names }: OwnMethods, isOfType: boolean): Promise<string | undefined> {
    if (uid === undefined || (isOfType && names === undefined)) return 'it is not understood'
    if (names?.length === 0) return undefined
    const fault = await this.findFault(file)
    if (fault === undefined) this.services.set(uid, this.toReference(file))
    return fault
  }

  /** Of an action that a controller of the project answers itself; with `orCore`, also of one that it has from Strapi. */
  findHandler(action: string, orCore = false): string | undefined {
    const dot = action.lastIndexOf('.')
    const [found, name] = [this.#controllers.get(action.slice(0, dot)), action.slice(dot + 1)]
    if (found === undefined) return undefined
    const isCore = orCore && found.hasCore && (CORE_ACTIONS as readonly string[]).includes(name)
    return found.names.has(name) || isCore ? `${this.toReference(found.file)}#${name}` : undefined
  }

  /** Of the generated route to an action. */
  async carryOptions(route: Route, handler: string | undefined): Promise<string | undefined> {
    const { action } = route
    const [uid, name] = splitAction(action)
    const carried = this.options.get(uid) ?? {}
    const options = await this.#readOptions(route)
    if (typeof options === 'string') return options
    const whole = { ...(handler !== undefined && { handler }), ...options }
    if (carried[name] !== undefined && !isDeepStrictEqual(carried[name], whole))
      return 'another router has options for it, too'
    this.options.set(uid, { ...carried, [name]: whole })
    return undefined
  }

  async carryRoute(route: Route, handler: string | undefined): Promise<string | undefined> {
    const { method, path, action } = route
    if (handler === undefined) return `no controller that is taken has ${action}`
    if (!METHODS.has(method) || !PATH.test(path)) return `routes here have no ${method} ${path}`
    const key = buildKey(route)
    if (this.routes.has(key)) return 'another route has the same path'
    const options = await this.#readOptions(route)
    if (typeof options === 'string') return options
    this.routes.set(key, { method, path, handler, permission: action, ...options })
    return undefined
  }

  /** A middleware of every request. */
  async carryGlobal(use: GuardUse): Promise<string | undefined> {
    const found = await this.#findUse('middlewares', use, '')
    if (typeof found === 'string') return found
    this.files.add(found.file)
    this.requests.push(this.#toOptions('middlewares', use, found))
    return undefined
  }

  /** Returns the reason if it cannot be carried over. */
  async #findUse(kind: Kind, { name }: GuardUse, api: string): Promise<FoundFile | string> {
    const found = await this.#findFile(kind, name, api)
    if (found === undefined)
      return `${name} is not a file of src/${kind}${api === '' ? '' : ` or src/api/${api}/${kind}`}`
    const fault = (await this.findFault(found.file)) ?? (await findWrongExport(found.file))
    return fault === undefined ? found : `${relative(this.#folder, found.file)} ${fault}`
  }

  #toOptions(kind: Kind, { config }: GuardUse, file: FoundFile): Json | string {
    const name = this.#declare(kind, file)
    return config === undefined ? name : { name, [kind === 'policies' ? 'config' : 'options']: config }
  }

  /** Refuses every request of a generated route. */
  closeAction(action: string, reason: string): void {
    const [uid, name] = splitAction(action)
    this.options.set(uid, { ...this.options.get(uid), [name]: { closed: formatReason(reason) } })
  }

  /** Refuses its requests, which another route could answer. */
  closeRoute(route: Route, reason: string): void {
    const path = route.path.replace(/\/+$/, '')
    if (!PATH.test(path)) return
    const closed = formatReason(reason)
    for (const method of METHODS) {
      const key = buildKey({ method, path })
      const isAsked = route.method === method || route.method === 'ALL'
      if (isAsked && !this.routes.has(key)) this.routes.set(key, { method, path, closed })
    }
  }

  /** Returns a text if they cannot be carried over as a whole. */
  async #readOptions({ api, options }: Route): Promise<Json | string> {
    if (options === undefined) return 'its config is not understood'
    const found: { readonly kind: Kind; readonly use: GuardUse; readonly file: FoundFile }[] = []
    for (const kind of ['policies', 'middlewares'] as const) {
      for (const use of options[kind]) {
        const file = await this.#findUse(kind, use, api)
        if (typeof file === 'string') return file
        found.push({ kind, use, file })
      }
    }
    const taken: { auth?: false; policies?: unknown[]; middlewares?: unknown[] } = {}
    if (options.isOpen) taken.auth = false
    for (const { kind, use, file } of found) {
      this.files.add(file.file)
      taken[kind] = [...(taken[kind] ?? []), this.#toOptions(kind, use, file)]
    }
    return taken
  }

  /** `src/extensions/users-permissions/strapi-server`. */
  async carryUserExtension(file: string): Promise<string | undefined> {
    const found = await readExtension(file)
    if (typeof found === 'string') return found
    const fault = await this.findFault(file)
    if (fault !== undefined) return `it ${fault}`
    for (const { kind, name } of found.guards) {
      const use = await this.#findUse(kind, { name, config: undefined }, '')
      if (typeof use === 'string') return use
      if (!name.endsWith(`::${this.#declare(kind, use)}`)) return `another file has the name of ${name}`
      this.files.add(use.file)
    }
    for (const handler of found.handlers) this.addedActions.add(`plugin::users-permissions.${handler}`)
    this.userExtension = this.toReference(file)
    return undefined
  }

  /** `src/index`, if it has code in `register` or `bootstrap` and asks for nothing that is not there. */
  async carryProgram(notes: ImportNotes): Promise<void> {
    for (const file of await listCodeFiles(join(this.#folder, 'src'))) {
      if (!/^index\.\w+$/.test(basename(file))) continue
      const place = relative(this.#folder, file)
      const program = await readProgram(file, this.#folder, this.#given.hasGraphql)
      if (program === undefined) continue
      const reason = program.fault ?? (await this.findFault(file))
      if (reason !== undefined) {
        notes.add('missing', `${place} is code and is not taken: ${reason}`)
        continue
      }
      this.extensions = this.toReference(file)
      for (const one of program.reached) this.programFiles.add(one)
      notes.add('taken', `${place} is kept`)
      for (const note of program.notes) notes.add('different', note)
    }
  }

  /** The reason why the configuration cannot name the file. */
  async findFault(file: string): Promise<string | undefined> {
    if (!REFERENCE.test(this.toReference(file))) return 'cannot be named in a configuration'
    const known = this.#faults.get(file) ?? this.#given.findLoadFault(file)
    this.#faults.set(file, known)
    const fault = await known
    return fault === undefined ? undefined : `cannot be loaded: ${fault}`
  }

  /** Returns the name in the configuration: that of the file, unless another file has it. */
  #declare(kind: Kind, { names, file }: FoundFile): string {
    const reference = this.toReference(file)
    const name = names.find((one) => (this[kind].get(one) ?? reference) === reference)
    invariant(name !== undefined, 'the name of an API and its file is taken by that file only')
    this[kind].set(name, reference)
    return name
  }

  toReference(file: string): string {
    const { directory, copyFolder } = this.#given
    if (copyFolder !== undefined) return `./${join(copyFolder, relative(this.#folder, file))}`
    const path = relative(directory, file)
    return path.startsWith('..') ? path : `./${path}`
  }

  /** A name without `::` is one of the API, else a global one, as in Strapi. */
  async #findFile(kind: Kind, name: string, api: string): Promise<FoundFile | undefined> {
    const uids = [...(api === '' ? [] : [`api::${api}.${name}`]), `global::${name}`]
    for (const uid of name.includes('::') ? [name] : uids) {
      const [, own, ofApi, global] = /^(?:api::([\w-]+)\.([\w-]+)|global::([\w-]+))$/.exec(uid) ?? []
      const place = own === undefined ? `src/${kind}` : `src/api/${own}/${kind}`
      const files = await listCodeFiles(join(this.#folder, place))
      const file = files.find((one) => basename(one, extname(one)) === (ofApi ?? global))
      const name = ofApi ?? global ?? ''
      const whole = own === undefined ? `global--${name}` : `api--${own}--${name}`
      if (file !== undefined) return { file, names: /^\d/.test(name) ? [whole] : [name, whole] }
    }
    return undefined
  }
}

function formatReason(reason: string): string {
  return toLine(reason).slice(0, MAX_REASON_CHARACTERS)
}

function splitAction(action: string): readonly [uid: string, name: string] {
  const dot = action.lastIndexOf('.')
  return [action.slice(0, dot), action.slice(dot + 1)]
}

/** A policy with a validator of its settings is an object with a handler. */
async function findWrongExport(file: string): Promise<string | undefined> {
  const { exported } = await readCode(file)
  return exported?.kind === 'object' && !exported.members.has('handler') ? 'exports no function' : undefined
}
