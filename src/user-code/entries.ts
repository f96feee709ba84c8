// `cms.entries('restaurant')`: entries without HTTP and permission checks.

import { ownCode } from '../access/principal.ts'
import type { ContentTypeShape, OfDocuments } from '../client/content-shape.ts'
import type { Versions } from '../client/document-routes.ts'
import type { Fields, Filters, OnlyPopulated, Populate, Sort } from '../client/queries.ts'
import type { FlatEntry } from '../client/responses.ts'
import type { States as EntryStates, LocaleOf } from '../client/routes.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import type { ContentType } from '../model/content-type.ts'
import { expandTypeName } from '../model/find-target.ts'
import type { Model } from '../model/model.ts'
import type { OperationTable } from '../operations/operation-table.ts'
import { NO_ENTRY, parseId } from '../plan/parse-id.ts'
import type { AggregateRow } from '../query/reads.ts'
import { type EntryObject, toObject } from '../query/rows/to-object.ts'
import type { Content } from '../write/content.ts'
import { createDocumentEntries } from './document-entries.ts'
import {
  type AggregateQuery,
  buildParams,
  type Data,
  type Entries,
  type EntriesQuery,
  type VersionCondition,
} from './entries-query.ts'
import { createAggregate, createManyEntries } from './many-entries.ts'
import { relateFile } from './relate-file.ts'

type States = EntryStates | Versions

interface TypedQuery<S extends ContentTypeShape, P, F, State> extends TypedChoice<S, P, F> {
  readonly filters?: Filters<S>
  readonly sort?: Sort<S>
  readonly start?: number
  readonly limit?: number
  /** Default `preview`. */
  readonly publicationState?: State & EntryStates
  /** For documents; default `draft`. */
  readonly status?: (S extends OfDocuments ? State & Versions : never) | undefined
  /** Default `all`. */
  readonly locale?: LocaleOf<S> | 'all'
}

export interface TypedChoice<S extends ContentTypeShape, P, F> {
  readonly fields?: F
  readonly populate?: P & OnlyPopulated<S, P>
}

type VersionChoice<S extends ContentTypeShape> = S extends OfDocuments
  ? { readonly status?: Versions | undefined; readonly locale?: LocaleOf<S> }
  : unknown

/** A draft may lack required values. */
type DraftChoice<S extends ContentTypeShape, P, F> = TypedChoice<S, P, F> & {
  readonly status: 'draft'
  readonly locale?: LocaleOf<S>
}

/** `Before`: the arguments before the query. */
type EntryCall<S extends ContentTypeShape, Before extends readonly unknown[], None = never> = <
  const P extends Populate<S> | undefined = undefined,
  const F extends Exclude<Fields<S>, string> | undefined = undefined,
>(
  ...call: [...Before, query?: TypedChoice<S, P, F> & VersionChoice<S>]
) => Promise<FlatEntry<S, { populate: P; fields: F }> | None>

type CreateDocument<S extends ContentTypeShape> = EntryCall<S, [data: S['input'] & S['closed']]> &
  (<
    const P extends Populate<S> | undefined = undefined,
    const F extends Exclude<Fields<S>, string> | undefined = undefined,
  >(
    data: S['draft'] & S['closed'],
    query: DraftChoice<S, P, F>,
  ) => Promise<FlatEntry<S, { populate: P; fields: F }>>)

export interface EntriesOf<S extends ContentTypeShape> {
  findMany<
    const P extends Populate<S> | undefined = undefined,
    const F extends Exclude<Fields<S>, string> | undefined = undefined,
    State extends States = 'preview',
  >(query?: TypedQuery<S, P, F, State>): Promise<FlatEntry<S, { populate: P; fields: F }, State>[]>
  findOne: EntryCall<S, [id: number | string], null>
  count(
    query?: Pick<
      TypedQuery<S, undefined, undefined, States>,
      'filters' | 'publicationState' | 'status' | 'locale'
    >,
  ): Promise<number>
  /** Groups of entries, without a limit: `{ aggregate: { avg: 'rating' }, groupBy: 'author.name' }`. */
  aggregate(
    query?: Omit<AggregateQuery, 'filters'> & { readonly filters?: Filters<S> },
  ): Promise<AggregateRow[]>
  /** Rejects with ValidationError; `details.errors` lists all faults. */
  create: S extends OfDocuments
    ? CreateDocument<S>
    : EntryCall<S, [data: (S['input'] | S['draft']) & S['closed']]>
  /** Rejects with NotFoundError or ValidationError. */
  update: UpdateCall<S>
  delete(id: number | string, query?: Pick<EntriesQuery, 'locale'> & VersionCondition): Promise<FlatEntry<S>>
  publish: EntryCall<S, [id: number | string]>
  unpublish: EntryCall<S, [id: number | string]>
  discardDraft: EntryCall<S, [id: number | string]>
  /** All or none; the paths in `details.errors` of ValidationError begin with the index of the item. */
  createMany: ManyCall<S, [items: readonly (S['input'] & S['closed'])[]]>
  /** Changes every entry that matches; `{}` matches all. */
  updateMany: ManyCall<S, [filters: Filters<S>, data: S['update'] & S['closed']]>
  /** Resolves with the former entries. */
  deleteMany: ManyCall<S, [filters: Filters<S>]>
  /** Updates the entry with the same value of `on`, a declared unique attribute or set, or creates it. */
  upsert: EntryCall<S, [on: string | readonly string[], data: S['input'] & S['closed']]>
  upsertMany: ManyCall<S, [on: string | readonly string[], items: readonly (S['input'] & S['closed'])[]]>
}

type UpdateCall<S extends ContentTypeShape> = <
  const P extends Populate<S> | undefined = undefined,
  const F extends Exclude<Fields<S>, string> | undefined = undefined,
>(
  id: number | string,
  data: S['update'] & S['closed'],
  query?: TypedChoice<S, P, F> & VersionChoice<S> & VersionCondition,
) => Promise<FlatEntry<S, { populate: P; fields: F }>>

type ManyCall<S extends ContentTypeShape, Before extends readonly unknown[]> = <
  const P extends Populate<S> | undefined = undefined,
  const F extends Exclude<Fields<S>, string> | undefined = undefined,
>(
  ...call: [...Before, query?: TypedChoice<S, P, F> & VersionChoice<S>]
) => Promise<FlatEntry<S, { populate: P; fields: F }>[]>

/** Shapes of content-types by name (`article`, `api::article.article`): empty until `cms-run types` declares them. */
// An interface, because declarations can extend it.
export interface EntryTypes {
  readonly '': never
}

export type EntriesFor<K> = K extends keyof EntryTypes
  ? EntryTypes[K] extends ContentTypeShape
    ? EntriesOf<EntryTypes[K]>
    : Entries
  : Entries

type ShapeFor<K> = K extends keyof EntryTypes ? EntryTypes[K] : never

export type MakingFor<K> = [ShapeFor<K>] extends [never]
  ? Data
  : ShapeFor<K> extends ContentTypeShape
    ? Partial<ShapeFor<K>['input']>
    : Data

export type MadeFor<K> = [ShapeFor<K>] extends [never]
  ? EntryObject
  : ShapeFor<K> extends ContentTypeShape
    ? FlatEntry<ShapeFor<K>>
    : EntryObject

export interface EntriesPlace {
  readonly model: Model
  readonly content: Content
  readonly operations: OperationTable
}

/**
 * `name` is a uid, or the last part of an `api::` uid. Looked up at each call, because a reload may change
 * the model.
 */
export function getEntries(name: string, place: () => EntriesPlace): Entries {
  const now = (): Entries => {
    const { content, model, operations } = place()
    const type = model.contentTypes.get(expandTypeName(name, model.contentTypes.keys()) ?? '')
    if (type === undefined) throw new ApiError('NotFoundError', `no content-type "${name}"`)
    const { documents } = content
    // Entries of plugins, such as users and files, are addressed by number, as in REST.
    return documents !== undefined && type.uid.startsWith('api::')
      ? createDocumentEntries({ type, content, documents, operations })
      : entriesByNumber(type, content, operations)
  }
  return {
    findMany: async (query) => now().findMany(query),
    findOne: async (id, query) => now().findOne(id, query),
    count: async (query) => now().count(query),
    aggregate: async (query) => now().aggregate(query),
    create: async (data, query) => now().create(data, query),
    update: async (id, data, query) => now().update(id, data, query),
    delete: async (id, query) => now().delete(id, query),
    publish: async (id, query) => now().publish(id, query),
    unpublish: async (id, query) => now().unpublish(id, query),
    discardDraft: async (id, query) => now().discardDraft(id, query),
    createMany: async (items, query) => now().createMany(items, query),
    updateMany: async (filters, data, query) => now().updateMany(filters, data, query),
    deleteMany: async (filters, query) => now().deleteMany(filters, query),
    upsert: async (on, data, query) => now().upsert(on, data, query),
    upsertMany: async (on, items, query) => now().upsertMany(on, items, query),
  }
}

function entriesByNumber(type: ContentType, content: Content, operations: OperationTable): Entries {
  const writing = ({ ifVersion, ...query }: EntriesQuery & VersionCondition) => ({
    params: { ...buildParams(query), withVersion: true },
    access: ownCode,
    by: undefined,
    ...(ifVersion !== undefined && { ifVersion: [ifVersion] }),
  })
  const noVersions = async (): Promise<never> => {
    throw new TypeError(`${type.uid} has no versions: they belong to documents of "dialect: strapi-5"`)
  }
  async function update(
    id: number | string,
    data: Data,
    query: EntriesQuery & VersionCondition,
  ): Promise<EntryObject> {
    const { plan, entry } = await content.update(type, getNumber(id), data, writing(query))
    return toObject(plan, entry)
  }
  return {
    async findMany(query = {}) {
      const pagination = { kind: 'offset', start: query.start ?? 0, limit: query.limit ?? -1 } as const
      return [...(await content.findAll(type, { ...buildParams(query), pagination }, ownCode))]
    },
    async findOne(id, query = {}) {
      const params = { ...buildParams(query), withVersion: true }
      return (await content.findOne(type, getNumber(id), params, ownCode)) ?? null
    },
    count: async (query = {}) => content.count(type, buildParams(query), ownCode),
    aggregate: createAggregate(type, content, buildParams),
    async create(data, query = {}) {
      const { plan, entry } = await content.create(type, data, writing(query))
      return toObject(plan, entry)
    },
    async update(id, data, query = {}) {
      const shown = type.attributes.get('related')
      if (data['related'] !== undefined && shown?.kind === 'relation' && shown.shownBy !== undefined)
        return content.inTransaction(async () => {
          const { related, ...others } = data
          await relateFile(content, shown, getNumber(id), related)
          return update(id, others, query)
        })
      return update(id, data, query)
    },
    async delete(id, { ifVersion } = {}) {
      const given = ifVersion === undefined ? {} : { ifVersion }
      const { plan, entry } = await content.delete(type, getNumber(id), writing(given))
      return toObject(plan, entry)
    },
    publish: noVersions,
    unpublish: noVersions,
    discardDraft: noVersions,
    ...createManyEntries(type, operations, buildParams),
  }
}

/** An id that is no whole number becomes `NO_ENTRY`. */
function getNumber(id: number | string): number {
  return parseId(String(id)) ?? NO_ENTRY
}
