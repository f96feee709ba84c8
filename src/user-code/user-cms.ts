// The `cms` object for users' code. Code always uses its own app, even after another went live.

import { ApiError } from '../lib/errors/api-error.ts'
import { type ErrorClasses, errorClasses } from '../lib/errors/error-classes.ts'
import { hasVersions } from '../model/content-rules.ts'
import type { ContentType } from '../model/content-type.ts'
import { expandTypeName } from '../model/find-target.ts'
import type { Model } from '../model/model.ts'
import type { IgnoreName } from '../plan/params.ts'
import type { Mailer } from '../plugins/mailer.ts'
import type { ShadowCrudHandle } from '../plugins/shadow-crud-handles.ts'
import type { ParseListParams } from '../rest/parse-list-params.ts'
import type { CurrentRequest } from '../rest/rest-context.ts'
import type { FileIntake } from '../write/file-intake.ts'
import type { Lifecycle } from '../write/lifecycle.ts'
import type { DocumentMiddlewares } from './document-middlewares.ts'
import { type EntriesFor, type EntriesPlace, getEntries } from './entries.ts'
import type { Entries } from './entries-query.ts'
import { createIgnoreName, ignoreUnknownNames } from './lenient-entries.ts'
import { createNumberedDocuments } from './numbered-documents.ts'
import { createRowEntries, type QueriedEntries } from './row-entries.ts'
import { createStrapi, type Strapi, type StrapiContentType, type Subscriber } from './strapi.ts'
import type { StrapiConfig } from './strapi-config.ts'
import { createCoreController } from './strapi-core.ts'
import type { ServedType } from './strapi-core-entries.ts'
import { createStrapiDirs } from './strapi-dirs.ts'
import type { DocumentsOf } from './strapi-documents.ts'
import { createStrapiEmail } from './strapi-email.ts'
import type { OwnLog } from './strapi-log.ts'
import { createPermissionQuery } from './strapi-permissions.ts'
import { createSanitizers } from './strapi-sanitize.ts'
import { createStrapiStore } from './strapi-store.ts'
import { createStrapiUpload } from './strapi-upload.ts'
import { createStrapiUsers, type TokenSigner } from './strapi-users.ts'

export interface UserCms {
  /** Without permission checks; available from `bootstrap` on. */
  entries<K extends string>(type: K): EntriesFor<K>
  readonly errors: ErrorClasses
  readonly graphql: { readonly extension: ExtensionRegistry }
  readonly log: OwnLog
  readonly strapi: Strapi
  /**
   * Undoes all writes of `task` if it rejects. It has ten seconds; in an embedded database other requests wait for it.
   */
  transaction<T>(task: (transaction: Pick<UserCms, 'entries'>) => Promise<T>): Promise<T>
}

/** Accepts extensions while `register` runs; afterwards it is read-only. */
export interface ExtensionRegistry {
  /** By short name or full uid. */
  shadowCRUD(type: string): ShadowCrudHandle
  /** An extension, or a function `({ nexus, cms }) => extension`. */
  use(extension: unknown): void
}

export interface AttachedPlace extends Omit<EntriesPlace, 'model'> {
  readonly mailer: Mailer | undefined
  /** Undefined without the upload plugin. */
  readonly files: FileIntake | undefined
  readonly signer: TokenSigner | undefined
  userSettings(): Readonly<Record<string, unknown>> | undefined
  readonly parseListParams: ParseListParams
  /** Takes part in later writes. */
  addLifecycle(lifecycle: Lifecycle): void
}

interface UserCmsOptions {
  readonly model: Model
  /** Undefined until the tables exist; throws when the configuration was rejected. */
  place(): AttachedPlace | undefined
  readonly extension: ExtensionRegistry
  readonly log: UserCms['log']
  readonly current: CurrentRequest
  getDocuments(): DocumentMiddlewares
  findService(uid: string, strapi: Strapi): unknown
  subscribe(subscriber: Subscriber): void
  /** Actions by role. */
  listGranted(): ReadonlyMap<string, ReadonlySet<string>>
  settings(): StrapiConfig
  /** Of the configuration. */
  readonly directory: string
}

export function createUserCms({
  model,
  place,
  extension,
  log,
  current,
  getDocuments,
  findService,
  subscribe,
  listGranted,
  settings,
  directory,
}: UserCmsOptions): UserCms {
  const getPlace = (): EntriesPlace & AttachedPlace => {
    const known = place()
    if (known === undefined)
      throw new Error('entries can be asked for from bootstrap() on, not in register()')
    return { model, ...known }
  }
  const strictEntries = (name: string): Entries => getEntries(name, getPlace)
  let ignoreName: IgnoreName | undefined
  const getLenient = <E extends Entries | QueriedEntries>(strict: E): E => {
    ignoreName ??= createIgnoreName((text) => log.warn(text))
    return ignoreUnknownNames(strict, ignoreName)
  }
  const entries = (name: string): Entries => getLenient(strictEntries(name))
  const resolveDocuments = (name: string): DocumentsOf => {
    const type = model.contentTypes.get(expandTypeName(name, model.contentTypes.keys()) ?? '')
    if (type === undefined) throw new ApiError('NotFoundError', `no content-type "${name}"`)
    if (type.document === undefined)
      throw new TypeError(
        `strapi.documents('${name}') is there with "dialect: strapi-5"; use strapi.entityService or cms.entries('${name}')`,
      )
    const { uid, locale } = type
    if (!uid.startsWith('api::')) return createNumberedDocuments(uid, entries(uid))
    const defaultLocale = locale === undefined ? undefined : String(locale.default)
    return { uid, entries: entries(uid), hasVersions: hasVersions(type), defaultLocale }
  }
  const getQueried = (name: string): QueriedEntries => {
    const type = model.contentTypes.get(expandTypeName(name, model.contentTypes.keys()) ?? '')
    return type !== undefined && hasVersions(type)
      ? getLenient(createRowEntries(type, getPlace().content))
      : entries(name)
  }
  const getServed = (uid: string): (() => ServedType) | undefined => {
    const type = model.contentTypes.get(uid as ContentType['uid'])
    if (type === undefined || !uid.startsWith('api::')) return undefined
    const { kind, document, draftAndPublish } = type
    const facts = {
      uid,
      isSingle: kind === 'singleType',
      isDocument: document !== undefined,
      draftAndPublish,
    }
    return () => ({ ...facts, entries: entries(uid) })
  }
  const getType = (uid: string): ContentType => {
    const type = model.contentTypes.get(uid as ContentType['uid'])
    if (type === undefined) throw new ApiError('NotFoundError', `no content-type "${uid}"`)
    return type
  }
  const getController = (uid: string): object =>
    createCoreController(getType(uid), {
      model,
      findService: (uid) => findService(uid, cms.strapi),
      getPlace,
    })
  let described: Readonly<Record<string, StrapiContentType>> | undefined
  const own = { entries: strictEntries as UserCms['entries'] }
  let strapi: Strapi | undefined
  const makeStrapi = (): Strapi =>
    createStrapi({
      entries,
      getDocuments: resolveDocuments,
      documents: getDocuments(),
      getController,
      getSanitizers: (uid) => createSanitizers(getType(uid), getPlace),
      findService,
      getServed,
      getQueried,
      subscribe,
      transaction: (task) => getPlace().content.inTransaction(task),
      describeTypes: () => (described ??= describeTypes(model)),
      extension,
      email: createStrapiEmail(() => getPlace().mailer),
      upload: createStrapiUpload({
        entries,
        getIntake: () => getPlace().files,
        findType: (uid) => cms.strapi.contentType(uid),
      }),
      config: settings(),
      dirs: createStrapiDirs(directory),
      store: createStrapiStore({ getPlace, warn: (text) => log.warn(text) }),
      permissions: createPermissionQuery({
        listRoles: () => entries('plugin::users-permissions.role').findMany(),
        listActions: (role) => listGranted().get(role) ?? new Set(),
        warn: (text) => log.warn(text),
      }),
      requestContext: { get: () => current?.get() },
      users: createStrapiUsers(
        () => entries('plugin::users-permissions.user'),
        () => getPlace().signer,
      ),
      log,
    })
  const cms: UserCms = {
    ...own,
    transaction: async (task) => getPlace().content.inTransaction(() => task(own)),
    errors: errorClasses,
    graphql: { extension },
    log,
    // Most configurations have no code.
    get strapi() {
      strapi ??= makeStrapi()
      return strapi
    },
  }
  return cms
}

function describeTypes(model: Model): Readonly<Record<string, StrapiContentType>> {
  return Object.fromEntries(
    [...model.contentTypes.values()].map((type) => {
      const {
        uid,
        kind,
        collectionName,
        singularName,
        pluralName,
        displayName,
        options,
        pluginOptions = {},
      } = type
      const attributes = [...type.attributes.values()].map(
        ({ name, type: kind, declared }) => [name, { ...declared, type: kind }] as const,
      )
      const described: StrapiContentType = {
        ...{ uid, modelType: 'contentType', kind, modelName: singularName, collectionName },
        info: { singularName, pluralName, displayName },
        options: { ...options, draftAndPublish: type.draftAndPublish },
        pluginOptions,
        attributes: Object.fromEntries(attributes),
      }
      // A copy, because the configuration is frozen, which the proxies around it may not contradict.
      return [uid, structuredClone(described)]
    }),
  )
}
