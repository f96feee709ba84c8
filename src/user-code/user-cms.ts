// The `cms` object for users' code. Code always uses its own app, even after another went live.

import { ApiError } from '../lib/errors/api-error.ts'
import { type ErrorClasses, errorClasses } from '../lib/errors/error-classes.ts'
import { hasVersions } from '../model/content-rules.ts'
import { expandTypeName } from '../model/find-target.ts'
import type { Model } from '../model/model.ts'
import type { ShadowCrudHandle } from '../plugins/shadow-crud-handles.ts'
import type { Content } from '../write/content.ts'
import { type EntriesFor, getEntries } from './entries.ts'
import type { Entries } from './entries-query.ts'
import { createStrapi, type Strapi } from './strapi.ts'
import type { DocumentsOf } from './strapi-documents.ts'

export interface UserCms {
  /** Without permission checks; available from `bootstrap` on. */
  entries<K extends string>(type: K): EntriesFor<K>
  readonly errors: ErrorClasses
  readonly graphql: { readonly extension: ExtensionRegistry }
  readonly log: {
    info(message: string): void
    warn(message: string): void
  }
  readonly strapi: Strapi
}

/** Accepts extensions while `register` runs; afterwards it is read-only. */
export interface ExtensionRegistry {
  /** By short name or full uid. */
  shadowCRUD(type: string): ShadowCrudHandle
  /** An extension, or a function `({ nexus, cms }) => extension`. */
  use(extension: unknown): void
}

interface UserCmsOptions {
  readonly model: Model
  /** Undefined until the tables exist; throws when the configuration was rejected. */
  content(): Content | undefined
  readonly extension: ExtensionRegistry
  readonly log: UserCms['log']
}

export function createUserCms({ model, content, extension, log }: UserCmsOptions): UserCms {
  const entries = (name: string): Entries =>
    getEntries(name, () => {
      const known = content()
      if (known === undefined)
        throw new Error('entries can be asked for from bootstrap() on, not in register()')
      return { model, content: known }
    })
  const resolveDocuments = (name: string): DocumentsOf => {
    const type = model.contentTypes.get(expandTypeName(name, model.contentTypes.keys()) ?? '')
    if (type === undefined) throw new ApiError('NotFoundError', `no content-type "${name}"`)
    if (!type.uid.startsWith('api::'))
      throw new TypeError(
        `strapi.documents('${name}'): entries of plugins are addressed by number; use cms.entries('${name}')`,
      )
    if (type.document === undefined)
      throw new TypeError(
        `strapi.documents('${name}') is there with "dialect: strapi-5"; use strapi.entityService or cms.entries('${name}')`,
      )
    const { uid, locale } = type
    const defaultLocale = locale === undefined ? undefined : String(locale.default)
    return { uid, entries: entries(uid), hasVersions: hasVersions(type), defaultLocale }
  }
  return {
    entries: entries as UserCms['entries'],
    errors: errorClasses,
    graphql: { extension },
    log,
    strapi: createStrapi({ entries, getDocuments: resolveDocuments, extension, log }),
  }
}
