// The content of one configuration in both API versions, so that a move can read and write the tables of
// either.

import type { ApiVersion, Config } from '../../../config/config.ts'
import { buildModelInApiVersion } from '../../../model/build-model.ts'
import type { Model } from '../../../model/model.ts'
import { enablePlugins, listContributions } from '../../../plugins/plugin-host.ts'
import { createStorage, type Storage } from '../../../write/storage.ts'
import { buildLayout, type ModelLayout } from '../../sql/build-layout.ts'
import type { Dialect } from '../../sql/dialect.ts'

export interface VersionedContent {
  readonly model: Model
  readonly layout: ModelLayout
  readonly storage: Storage
}

export interface TwoApiVersions {
  /** The API version of the database. */
  readonly former: VersionedContent
  /** The API version of the configuration. */
  readonly next: VersionedContent
}

export function createTwoApiVersions(config: Config, model: Model, database: Dialect): TwoApiVersions {
  const other: ApiVersion = model.apiVersion.documents ? 'strapi-4' : 'strapi-5'
  const former = { ...config, dialect: other }
  return {
    former: createVersionedContent(
      buildModelInApiVersion(former, listContributions(enablePlugins(former))),
      database,
    ),
    next: createVersionedContent(model, database),
  }
}

export function createVersionedContent(model: Model, database: Dialect): VersionedContent {
  const layout = buildLayout(model)
  return { model, layout, storage: createStorage(model, layout, database, unasked) }
}

/** A move ignores permissions. */
const unasked: Pick<Storage, 'idsUnder' | 'visibleIds'> = { idsUnder: notAsked, visibleIds: notAsked }

function notAsked(): never {
  throw new TypeError('a move asks for no conditions and permissions')
}

export function some(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
