// The most used parts of the `strapi` object; reading any other property throws and names the replacement.

import { findInstead, type STRAPI_PARTS } from '../lib/strapi-object.ts'
import type { RestContext } from '../rest/rest-context.ts'
import type { DocumentMiddleware, DocumentMiddlewares } from './document-middlewares.ts'
import type { DocumentsFor } from './document-queries.ts'
import type { Entries } from './entries-query.ts'
import { createQueryKeys } from './known-keys.ts'
import type { QueriedEntries } from './row-entries.ts'
import type { StrapiConfig } from './strapi-config.ts'
import { type ContentApi, createContentApi } from './strapi-content-api.ts'
import { CORE, type StrapiCore } from './strapi-core.ts'
import { createCoreService, type ServedType } from './strapi-core-entries.ts'
import type { StrapiDirs } from './strapi-dirs.ts'
import { createStrapiDocuments, type DocumentsOf } from './strapi-documents.ts'
import type { StrapiEmail } from './strapi-email.ts'
import { createEntityService, type EntityService } from './strapi-entities.ts'
import { createStrapiLog, type OwnLog, type StrapiLog } from './strapi-log.ts'
import { PERMISSION_TYPE } from './strapi-permissions.ts'
import { createStrapiQuery, type StrapiQuery } from './strapi-query.ts'
import type { StrapiStore } from './strapi-store.ts'
import type { StrapiUpload } from './strapi-upload.ts'
import type { StrapiUsers } from './strapi-users.ts'

type Query = Readonly<Record<string, unknown>>

/** What the schema of a content-type says, in the words of Strapi. */
export interface StrapiContentType {
  readonly uid: string
  readonly modelType: 'contentType'
  readonly kind: string
  readonly modelName: string
  readonly collectionName: string
  readonly info: { readonly singularName: string; readonly pluralName: string; readonly displayName: string }
  readonly options: Readonly<Record<string, unknown>>
  readonly pluginOptions: Readonly<Record<string, unknown>>
  readonly attributes: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** Its parts are those of `STRAPI_PARTS`. */
export interface Strapi extends Record<(typeof STRAPI_PARTS)[number], unknown> {
  readonly entityService: EntityService
  /** For `dialect: strapi-5`. */
  readonly documents: {
    <K extends string>(uid: K): DocumentsFor<K>
    /** Runs around each action on documents. */
    use(middleware: DocumentMiddleware): void
  }
  readonly db: {
    query(uid: string): StrapiQuery
    /** In `register` or `bootstrap`. */
    readonly lifecycles: { subscribe(subscriber: Subscriber): void }
    /** Undoes all writes of the function if it rejects. */
    transaction<T>(task: (given: object) => Promise<T>): Promise<T>
  }
  /** The same as `db.query`. */
  query(uid: string): StrapiQuery
  /** `settings` of the configuration, `server`, `environment` and `api.rest`. */
  readonly config: StrapiConfig
  /** Absolute paths. */
  readonly dirs: StrapiDirs
  readonly contentAPI: ContentApi
  /** Values by key, in the database. */
  readonly store: StrapiStore
  /** The request that code runs for; undefined outside of requests. */
  readonly requestContext: { get(): RestContext | undefined }
  /** By uid. */
  readonly contentTypes: Readonly<Record<string, StrapiContentType>>
  contentType(uid: string): StrapiContentType | undefined
  /** The same as `contentType`. */
  getModel(uid: string): StrapiContentType | undefined
  readonly log: StrapiLog
  plugin(name: string): StrapiPlugin
  /** The same by name: `plugins.email.services.email`. */
  readonly plugins: Readonly<Record<string, StrapiPlugin>>
  /** Services of the configuration, core services of content-types, and those of `PLUGIN_SERVICES`. */
  service(uid: string): unknown
  readonly [CORE]: StrapiCore
}

interface StrapiPlugin {
  service(name: string): unknown
  readonly services: Readonly<Record<string, unknown>>
}

/** Hooks for `models` (without it, for all types), or one function for every event. */
export type Subscriber =
  | ((...args: readonly unknown[]) => unknown)
  | (Readonly<Record<string, unknown>> & { readonly models?: readonly string[] })

interface StrapiOptions {
  entries(uid: string): Entries
  /** Throws for types without documents. */
  getDocuments(uid: string): DocumentsOf
  readonly documents: DocumentMiddlewares
  /** The same as `cms.graphql.extension`. */
  readonly extension: object
  readonly email: StrapiEmail
  readonly upload: StrapiUpload
  readonly users: StrapiUsers
  readonly config: StrapiConfig
  readonly dirs: StrapiDirs
  readonly requestContext: Strapi['requestContext']
  readonly store: StrapiStore
  /** Of the type of permissions. */
  readonly permissions: StrapiQuery
  readonly log: OwnLog
  /** Both throw for a uid that is no content-type of the file. */
  readonly getController: StrapiCore['getController']
  readonly getSanitizers: StrapiCore['getSanitizers']
  /** Of the configuration, or undefined. */
  findService(uid: string, strapi: Strapi): unknown
  /** Undefined if it is no content-type of the file. */
  getServed(uid: string): (() => ServedType) | undefined
  /** Of a type with versions: its rows. */
  getQueried(uid: string): QueriedEntries
  subscribe(subscriber: Subscriber): void
  transaction<T>(task: () => Promise<T>): Promise<T>
  describeTypes(): Readonly<Record<string, StrapiContentType>>
}

export function createStrapi({
  entries,
  getDocuments,
  documents,
  getController,
  getSanitizers,
  findService,
  getServed,
  getQueried,
  subscribe,
  transaction,
  describeTypes,
  extension,
  email,
  upload,
  users,
  config,
  dirs,
  requestContext,
  store,
  permissions,
  log,
}: StrapiOptions): Strapi {
  const services: Readonly<Record<string, unknown>> = {
    'plugin::email.email': complete(email, "service('plugin::email.email')."),
    'plugin::upload.upload': complete(upload, "service('plugin::upload.upload')."),
    'plugin::users-permissions.user': complete(users.user, "service('plugin::users-permissions.user')."),
    'plugin::users-permissions.jwt': complete(users.jwt, "service('plugin::users-permissions.jwt')."),
    'plugin::graphql.extension': extension,
    'plugin::graphql.format': { returnTypes: { toEntityResponse, toEntityResponseCollection } },
  }
  const keys = createQueryKeys((text) => log.warn(text))
  const service = (uid: string): unknown => {
    const own = findService(uid, strapi)
    if (own !== undefined) return own
    return Object.hasOwn(services, uid) ? services[uid] : getCoreService(uid)
  }
  const getCoreService = (uid: string): object => {
    const served = getServed(uid)
    if (served !== undefined) return complete(createCoreService(served), `service('${uid}').`)
    throw missing(
      `service('${uid}')`,
      'entries are read and written with strapi.entityService or cms.entries(uid)',
    )
  }
  const query = (uid: string): StrapiQuery =>
    complete(
      uid === PERMISSION_TYPE ? permissions : createStrapiQuery(() => getQueried(uid), keys),
      `db.query('${uid}').`,
    )
  const plugin = (name: string): StrapiPlugin => {
    const find = (of: string): unknown => service(`plugin::${name}.${of}`)
    return { service: find, services: byName(find) }
  }
  const contentType = (uid: string): StrapiContentType | undefined => {
    const types = readOnly(describeTypes())
    return Object.hasOwn(types, uid) ? types[uid] : undefined
  }
  const known: Omit<Strapi, 'contentTypes' | 'config' | 'dirs' | typeof CORE> = {
    entityService: complete(createEntityService(entries, keys), 'entityService.'),
    db: complete(
      {
        query,
        lifecycles: complete({ subscribe }, 'db.lifecycles.'),
        transaction: async <T>(task: (given: object) => Promise<T>) => transaction(() => task(NO_SQL)),
      },
      'db.',
    ),
    query,
    contentType,
    getModel: contentType,
    contentAPI: complete(createContentApi(getSanitizers), 'contentAPI.'),
    store: complete(store, 'store.'),
    requestContext: complete(requestContext, 'requestContext.'),
    log: complete(createStrapiLog(log), 'log.'),
    service,
    plugin,
    plugins: byName(plugin),
    documents: complete(
      Object.assign(
        <K extends string>(uid: K) =>
          complete(
            createStrapiDocuments(() => getDocuments(uid), documents, keys),
            `documents('${uid}').`,
          ) as unknown as DocumentsFor<K>,
        { use: (middleware: DocumentMiddleware) => documents.use(middleware) },
      ),
      'documents.',
    ),
  }
  // Not enumerable, because printing `strapi` would print every schema, setting and folder.
  Object.defineProperty(known, 'dirs', { value: complete(dirs, 'dirs.') })
  Object.defineProperty(known, 'config', { value: complete(config, 'config.') })
  Object.defineProperty(known, 'contentTypes', { get: () => readOnly(describeTypes()) })
  const core: StrapiCore = { getController, getSanitizers, getService: getCoreService }
  Object.defineProperty(known, CORE, { value: core })
  const strapi = complete(known as Strapi, '')
  return strapi
}

function byName<T>(find: (name: string) => T): Readonly<Record<string, T>> {
  return new Proxy<Record<string, T>>(
    {},
    { get: (_, name) => (typeof name === 'symbol' || IGNORED.has(name) ? undefined : find(name)) },
  )
}

function toEntityResponse(value: unknown, info: Query = {}): unknown {
  return { value, info }
}

function toEntityResponseCollection(nodes: unknown, info: Query = {}): unknown {
  return { nodes, info }
}

/** Throws where Strapi's code would add attributes, because a change would have no effect. */
function readOnly<T extends object>(value: T): T {
  const refuse = (): never => {
    throw new Error(
      'strapi.contentTypes cannot be changed: declare attributes in the file, under contentTypes (docs/reference/from-strapi.md)',
    )
  }
  return new Proxy(value, {
    get(target, name, receiver) {
      const found = Reflect.get(target, name, receiver) as unknown
      return typeof found === 'object' && found !== null ? readOnly(found) : found
    },
    set: refuse,
    defineProperty: refuse,
    deleteProperty: refuse,
  })
}

/** Writes within a transaction belong to it by themselves. */
const NO_SQL = complete({ onCommit: undefined }, 'db.transaction().')

/** JavaScript reads these names from any object that is awaited or printed. */
const IGNORED: ReadonlySet<string> = new Set(['then', 'toJSON'])

/** Throws for an unknown property, because undefined would cause an error later, elsewhere. */
function complete<T extends object>(known: T, prefix: string): T {
  return new Proxy(known, {
    get(target, name, receiver) {
      if (typeof name === 'symbol' || IGNORED.has(name) || name in target)
        return Reflect.get(target, name, receiver) as unknown
      const instead = findInstead(`${prefix}${name}`)
      throw missing(
        `${prefix}${name}`,
        instead ?? `there are ${Object.keys(target).join(', ')}; else use cms`,
      )
    },
  })
}

function missing(what: string, instead: string): Error {
  return new Error(`strapi.${what} is not there: ${instead} (docs/reference/from-strapi.md)`)
}
