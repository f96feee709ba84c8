// Carries policies and middlewares of generated routes over, and lifecycles of content-types: the configuration names their
// files where they stand.

import { basename, extname, join, relative } from 'node:path'
import { invariant } from '../../../lib/errors/invariant.ts'
import { LIFECYCLE_HOOKS } from '../../../write/lifecycle.ts'
import type { CarriedCode } from '../guards.ts'
import type { ImportNotes } from '../import-notes.ts'
import { listCodeFiles } from '../project-folder.ts'
import type { Json } from '../strapi-source.ts'
import { listAbsentParts } from './absent-parts.ts'
import { readCode } from './read-code.ts'
import type { GuardUse, RouteOptions } from './read-routes.ts'

export interface CarryOptions {
  /** The folder of the configuration. */
  readonly directory: string
  /** The reason why a file cannot be loaded. */
  findLoadFault(file: string): Promise<string | undefined>
}

/** As the configuration asks for it. */
const REFERENCE = /^\.{1,2}\/\S*\.(?:[cm]?js|m?ts)$/

const HOOKS: ReadonlySet<string> = new Set(LIFECYCLE_HOOKS)

type Kind = 'policies' | 'middlewares'

interface FoundFile {
  readonly file: string
  readonly names: readonly string[]
}

export class CodeCarrier implements CarriedCode {
  readonly policies = new Map<string, string>()
  readonly middlewares = new Map<string, string>()
  readonly options = new Map<string, Json>()
  readonly lifecycles = new Map<string, string>()
  /** Absolute paths. */
  readonly files = new Set<string>()
  readonly #folder: string
  readonly #given: CarryOptions
  /** By file: many routes name the same. */
  readonly #faults = new Map<string, Promise<string | undefined>>()

  constructor(folder: string, given: CarryOptions) {
    this.#folder = folder
    this.#given = given
  }

  /** Returns the reason if the options cannot be carried over as a whole; then nothing is. */
  async carry(uid: string, action: string, api: string, options: RouteOptions): Promise<string | undefined> {
    const carried = this.options.get(uid) ?? {}
    if (carried[action] !== undefined) return 'another router has options for it, too'
    const found: { readonly kind: Kind; readonly use: GuardUse; readonly file: FoundFile }[] = []
    for (const kind of ['policies', 'middlewares'] as const) {
      for (const use of options[kind]) {
        const file = await this.#findFile(kind, use.name, api)
        if (file === undefined) return `${use.name} is not a file of src/${kind} or src/api/${api}/${kind}`
        const fault = (await this.#findFault(file.file)) ?? (await findWrongExport(file.file))
        if (fault !== undefined) return `${relative(this.#folder, file.file)} ${fault}`
        found.push({ kind, use, file })
      }
    }
    const taken: { auth?: false; policies?: unknown[]; middlewares?: unknown[] } = {}
    if (options.isOpen) taken.auth = false
    for (const { kind, use, file } of found) {
      this.files.add(file.file)
      const name = this.#declare(kind, file)
      const setting = kind === 'policies' ? 'config' : 'options'
      taken[kind] = [
        ...(taken[kind] ?? []),
        use.config === undefined ? name : { name, [setting]: use.config },
      ]
    }
    this.options.set(uid, { ...carried, [action]: taken })
    return undefined
  }

  async carryLifecycles(uids: Iterable<string>, notes: ImportNotes): Promise<void> {
    for (const uid of uids) {
      const [, api, type] = /^api::([^.]+)\.(.+)$/.exec(uid) ?? []
      if (api === undefined || type === undefined) continue
      const folder = join(this.#folder, 'src/api', api, 'content-types', type)
      const files = await listCodeFiles(folder)
      for (const file of files.filter((one) => /^lifecycles\.\w+$/.test(basename(one)))) {
        const place = relative(this.#folder, file)
        const reason = await this.#carryLifecycle(uid, file)
        if (reason === undefined) notes.add('taken', `${place} is kept`)
        else notes.add('missing', `${place} is code and is not taken: ${reason}`)
      }
    }
  }

  /** Returns the reason if the file cannot be carried over. */
  async #carryLifecycle(uid: string, file: string): Promise<string | undefined> {
    const { exported, tokens = [] } = await readCode(file)
    if (exported?.kind !== 'object') return 'it is not understood'
    const other = [...exported.members.keys()].find((name) => !HOOKS.has(name))
    if (other !== undefined) return `there is no ${other}`
    if (listAbsentParts(tokens).size > 0) return 'it asks for parts of strapi that are not there'
    const fault = await this.#findFault(file)
    if (fault !== undefined) return `it ${fault}`
    this.lifecycles.set(uid, this.#toReference(file))
    return undefined
  }

  async #findFault(file: string): Promise<string | undefined> {
    if (!REFERENCE.test(this.#toReference(file))) return 'cannot be named in a configuration'
    const known = this.#faults.get(file) ?? this.#given.findLoadFault(file)
    this.#faults.set(file, known)
    const fault = await known
    return fault === undefined ? undefined : `cannot be loaded: ${fault}`
  }

  /** Returns the name in the configuration: that of the file, unless another file has it. */
  #declare(kind: Kind, { names, file }: FoundFile): string {
    const reference = this.#toReference(file)
    const name = names.find((one) => (this[kind].get(one) ?? reference) === reference)
    invariant(name !== undefined, 'the name of an API and its file is taken by that file only')
    this[kind].set(name, reference)
    return name
  }

  #toReference(file: string): string {
    const path = relative(this.#given.directory, file)
    return path.startsWith('..') ? path : `./${path}`
  }

  /** A name without `::` is one of the API, else a global one, as in Strapi. */
  async #findFile(kind: Kind, name: string, api: string): Promise<FoundFile | undefined> {
    for (const uid of name.includes('::') ? [name] : [`api::${api}.${name}`, `global::${name}`]) {
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

/** A policy with a validator of its settings is an object, which is no policy here. */
async function findWrongExport(file: string): Promise<string | undefined> {
  const { exported } = await readCode(file)
  return exported?.kind === 'object' ? 'exports no function' : undefined
}
