// Creates entries within the payload of another: where a relation takes ids, it takes `create`, too. All are written in one
// transaction, each as if the caller had created it before or after the entry itself.

import { isServer } from '../access/principal.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import { FaultList } from '../lib/errors/fault-list.ts'
import { invariant } from '../lib/errors/invariant.ts'
import { isRecord } from '../lib/is-record.ts'
import { isToMany, type RelationAttribute } from '../model/attribute.ts'
import type { ContentType, Schema } from '../model/content-type.ts'
import { createUnknownKey } from '../plan/write/plan-links.ts'
import { createWriteTally, type WriteTally } from '../plan/write/write-limits.ts'
import type { WriteOptions } from './content.ts'

type Data = Readonly<Record<string, unknown>>
/** An id, or the `documentId` of a document. */
type Id = number | string

export type NestedOptions = Pick<
  WriteOptions,
  'access' | 'by' | 'budget' | 'tally' | 'dryRun' | 'own' | 'trusted' | 'linkedLater'
>

interface NestedContext {
  readonly writeRows: number
  inTransaction<T>(task: () => Promise<T>): Promise<T>
}

/** Writes one entry, without nested ones. */
interface EntryWriter<O, R> {
  readonly type: ContentType
  readonly data: Data
  readonly options: O
  write(data: Data, options: O): Promise<R>
  /** Creates an entry of a related type, in the locale and status of the entry. */
  createRelated(type: ContentType, data: Data, options: NestedOptions): Promise<Id>
  getId(result: R): Promise<Id>
  /** Reads the entry again, which is linked now. */
  readAgain(result: R): Promise<R>
}

export async function writeNested<O extends NestedOptions, R>(
  { writeRows, inTransaction }: NestedContext,
  writer: EntryWriter<O, R>,
): Promise<R> {
  const { type, data, options } = writer
  if (!holdsNew(type, data)) return writer.write(data, options)
  return inTransaction(async () => {
    const shared = { ...options, tally: options.tally ?? createWriteTally(writeRows) }
    return new NestedWrite(shared, writer.createRelated).run({ ...writer, options: shared })
  })
}

/** An entry to be created when the entry that it belongs to has its id. */
interface LaterEntry {
  readonly target: ContentType
  readonly inverse: RelationAttribute
  readonly data: unknown
  readonly path: readonly string[]
}

class NestedWrite {
  readonly #options: NestedOptions & { readonly tally: WriteTally }
  readonly #createRelated: EntryWriter<never, never>['createRelated']
  readonly #faults = new FaultList()

  constructor(
    options: NestedOptions & { readonly tally: WriteTally },
    createRelated: EntryWriter<never, never>['createRelated'],
  ) {
    this.#options = options
    this.#createRelated = createRelated
  }

  async run<O extends NestedOptions, R>(writer: EntryWriter<O, R>): Promise<R> {
    const written = await this.#write([], writer)
    this.#faults.throwAny()
    invariant(written !== undefined, 'an entry without faults is written')
    return written
  }

  /** Undefined if the entry has faults: others are then tried, to report theirs. */
  async #write<O extends NestedOptions, R>(
    path: readonly string[],
    { type, data, options, write, getId, readAgain }: Omit<EntryWriter<O, R>, 'createRelated'>,
  ): Promise<R | undefined> {
    const later: LaterEntry[] = []
    const replaced = await this.#replace(type, type, data, path, later)
    // A relation whose entries could not be created, or come later, is not missing.
    const absent = Object.keys(data).filter(
      (name) => replaced[name] === undefined && data[name] !== undefined,
    )
    const linkedLater = new Set([...(options.linkedLater ?? []), ...absent])
    const result = await this.#faults.collect(path, () => write(replaced, { ...options, linkedLater }))
    for (const one of later)
      await this.#createLater(one, result === undefined ? undefined : await getId(result))
    return result === undefined || later.length === 0 || !this.#faults.isEmpty ? result : readAgain(result)
  }

  async #createLater({ target, inverse, data, path }: LaterEntry, owner: Id | undefined): Promise<void> {
    if (!isRecord(data)) return this.#faults.add(path, createNoData(path))
    const linkedLater = new Set(owner === undefined ? [inverse.name] : [])
    const linked = owner === undefined ? data : { ...data, [inverse.name]: owner }
    await this.#create(target, linked, path, linkedLater)
  }

  async #create(
    target: ContentType,
    data: unknown,
    path: readonly string[],
    linkedLater: ReadonlySet<string>,
  ): Promise<Id | undefined> {
    if (!isRecord(data)) return void this.#faults.add(path, createNoData(path))
    const { access, by, budget, tally, dryRun, trusted = false } = this.#options
    if (!access.mayCreate(target))
      return void this.#faults.add(
        path,
        createForbidden(`the caller needs the permission ${target.uid}.create`),
      )
    if (target.rest.guardedActions.has('create') && !isServer(access))
      return void this.#faults.add(
        path,
        createForbidden(
          `policies or middlewares of its route guard the creation of ${target.uid}: create it by a request of its own`,
        ),
      )
    tally.addRows(1, path, path.join('.'))
    return this.#write(path, {
      type: target,
      data,
      options: { access, by, budget, tally, dryRun, trusted, linkedLater },
      write: (plain, options) => this.#createRelated(target, plain, options),
      getId: async (id) => id,
      readAgain: async (id) => id,
    })
  }

  /** `root`: the type that is written, whose own relations can be linked from the other side. */
  async #replace(
    root: ContentType,
    schema: Schema,
    data: Data,
    path: readonly string[],
    later: LaterEntry[],
  ): Promise<Data> {
    const replaced: Record<string, unknown> = { ...data }
    for (const [name, value] of Object.entries(data)) {
      const attribute = schema.attributes.get(name)
      const at = [...path, name]
      if (attribute?.kind === 'component')
        replaced[name] = await this.#inComponents(root, value, at, () => attribute.component)
      else if (attribute?.kind === 'dynamiczone')
        replaced[name] = await this.#inComponents(root, value, at, (element) =>
          attribute.components.find(({ uid }) => uid === element['__component']),
        )
      else if (attribute?.kind === 'relation' && holdsNewEntries(value)) {
        const { target } = attribute
        if (target === undefined || name === 'localizations') throw createUnknownKey(name, 'create')
        replaced[name] = await this.#replaceRelation({ attribute, target, value, at }, schema === root, later)
      }
    }
    return replaced
  }

  async #inComponents(
    root: ContentType,
    value: unknown,
    path: readonly string[],
    getComponent: (element: Data) => Schema | undefined,
  ): Promise<unknown> {
    if (Array.isArray(value)) {
      const elements: unknown[] = []
      for (const [index, element] of value.entries())
        elements.push(await this.#inComponents(root, element, [...path, String(index)], getComponent))
      return elements
    }
    const component = isRecord(value) ? getComponent(value) : undefined
    return isRecord(value) && component !== undefined
      ? this.#replace(root, component, value, path, [])
      : value
  }

  /** Undefined where nothing is left to link. */
  async #replaceRelation(
    { attribute, target, value, at }: NestedRelation,
    isOwn: boolean,
    later: LaterEntry[],
  ): Promise<unknown> {
    // A list is the whole relation.
    const given: Data = isRecord(value) ? value : { set: value }
    const { create, ...lists } = given
    const news = create === undefined || create === null ? [] : Array.isArray(create) ? create : [create]
    const single = !Array.isArray(create)
    const { inverse } = attribute
    const linked: Record<string, unknown> = {}
    for (const [key, list] of Object.entries(lists))
      linked[key] = await this.#replaceElements(target, inverse, list, [...at, key])
    if (isOwn && inverse !== undefined && !isToMany(inverse) && isToMany(attribute)) {
      for (const [index, data] of news.entries())
        later.push({ target, inverse, data, path: [...at, 'create', ...(single ? [] : [String(index)])] })
      return Object.keys(linked).length === 0 ? undefined : linked
    }
    const ids: Id[] = []
    for (const [index, data] of news.entries()) {
      const path = [...at, 'create', ...(single ? [] : [String(index)])]
      const id = await this.#create(target, data, path, inverseNames(inverse))
      if (id !== undefined) ids.push(id)
    }
    if (Array.isArray(linked['set'])) return { ...linked, set: [...linked['set'], ...ids] }
    const connect = [linked['connect'] ?? []].flat()
    const all = { ...linked, connect: [...connect, ...ids] }
    return news.length > ids.length && ids.length + connect.length === 0 ? undefined : all
  }

  /** `{ create: {…} }` in place of an id, with its position. */
  async #replaceElements(
    target: ContentType,
    inverse: RelationAttribute | undefined,
    list: unknown,
    path: readonly string[],
  ): Promise<unknown> {
    if (!Array.isArray(list)) return isNew(list) ? this.#replaceElements(target, inverse, [list], path) : list
    const elements: unknown[] = []
    for (const [index, element] of list.entries()) {
      if (!isNew(element)) {
        elements.push(element)
        continue
      }
      const { create, position } = element
      const id = await this.#create(target, create, [...path, String(index), 'create'], inverseNames(inverse))
      const key = target.document === undefined ? 'id' : 'documentId'
      if (id !== undefined) elements.push(position === undefined ? { [key]: id } : { [key]: id, position })
    }
    return elements
  }
}

interface NestedRelation {
  readonly attribute: RelationAttribute
  readonly target: ContentType
  readonly value: unknown
  readonly at: readonly string[]
}

function inverseNames(inverse: RelationAttribute | undefined): ReadonlySet<string> {
  return new Set(inverse === undefined ? [] : [inverse.name])
}

function isNew(element: unknown): element is { readonly create: unknown; readonly position?: unknown } {
  return isRecord(element) && 'create' in element
}

function holdsNewEntries(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isNew)
  if (!isRecord(value)) return false
  if ('create' in value) return true
  return ['connect', 'set'].some((key) => {
    const list = value[key]
    return Array.isArray(list) ? list.some(isNew) : isNew(list)
  })
}

/** Whether a relation of the payload, at any depth of its components, has a new entry. */
function holdsNew(schema: Schema, data: Data): boolean {
  for (const attribute of schema.attributes.values()) {
    if (attribute.kind === 'scalar' || attribute.kind === 'media') continue
    const value = data[attribute.name]
    if (typeof value !== 'object' || value === null) continue
    if (attribute.kind === 'relation') {
      if (holdsNewEntries(value)) return true
      continue
    }
    const elements: readonly unknown[] = Array.isArray(value) ? value : [value]
    const isFound = elements.some((element) => {
      if (!isRecord(element)) return false
      const component =
        attribute.kind === 'component'
          ? attribute.component
          : attribute.components.find(({ uid }) => uid === element['__component'])
      return component !== undefined && holdsNew(component, element)
    })
    if (isFound) return true
  }
  return false
}

function createNoData(path: readonly string[]): ApiError {
  return new ApiError('ValidationError', `${path.join('.')} must be an object with the data of a new entry`)
}

function createForbidden(message: string): ApiError {
  return new ApiError('ForbiddenError', 'Forbidden').because({ message })
}
