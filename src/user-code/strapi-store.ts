// `strapi.store` for users' code: values by key, in the database. The settings of users stand in the file.

import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '../lib/is-record.ts'
import type { Database } from '../storage/database.ts'
import type { Content } from '../write/content.ts'
import { createStoredValues, type StoredValues } from './stored-values.ts'

interface StoreKey {
  readonly key?: string
  readonly type?: string
  readonly name?: string
}

interface ScopedStore {
  /** Resolves with null for a key without a value. */
  get(given?: StoreKey): Promise<unknown>
  set(given: StoreKey & { readonly value: unknown }): Promise<void>
  delete(given?: StoreKey): Promise<void>
}

/** `store({ type, name }).get({ key })`, or `store.get({ type, name, key })`. */
export type StrapiStore = ScopedStore & ((scope?: StoreKey) => ScopedStore)

interface StoreOptions {
  /** Throws before there is content. */
  getPlace(): {
    readonly content: Pick<Content, 'database'>
    userSettings(): Readonly<Record<string, unknown>> | undefined
  }
  warn(message: string): void
}

const MAX_KEY_CHARACTERS = 255
const MAX_VALUE_CHARACTERS = 1_000_000
const ADVANCED_KEY = 'plugin_users-permissions_advanced'

export function createStrapiStore({ getPlace, warn }: StoreOptions): StrapiStore {
  let known: { readonly database: Database; readonly values: StoredValues } | undefined
  const getValues = (): StoredValues => {
    const { database } = getPlace().content
    if (known?.database !== database) known = { database, values: createStoredValues(database) }
    return known.values
  }

  const scoped = (scope: StoreKey = {}): ScopedStore => ({
    async get(given) {
      const key = buildKey({ ...scope, ...given })
      return key === ADVANCED_KEY ? { ...getPlace().userSettings() } : ((await getValues().get(key)) ?? null)
    },
    async set({ value, ...given }) {
      const key = buildKey({ ...scope, ...given })
      if (key === ADVANCED_KEY) return warnOfSettings(value)
      const text = JSON.stringify(value)
      if (text === undefined || text.length > MAX_VALUE_CHARACTERS)
        throw new TypeError(`strapi.store takes values of up to ${MAX_VALUE_CHARACTERS} characters of JSON`)
      await getValues().set(key, value)
    },
    async delete(given) {
      await getValues().delete(buildKey({ ...scope, ...given }))
    },
  })

  function warnOfSettings(value: unknown): void {
    const settings = getPlace().userSettings() ?? {}
    const other = Object.entries(isRecord(value) ? value : {}).filter(
      ([name, one]) => !isDeepStrictEqual(one, settings[name]),
    )
    if (other.length > 0)
      warn(
        `strapi.store: code sets ${other.map(([name]) => name).join(', ')} of users, which has no effect: write it under plugins.users-permissions.config.advanced`,
      )
  }

  return Object.assign(scoped, scoped())
}

/** As Strapi names them: `plugin_upload_settings`. */
function buildKey({ type = 'core', name, key }: StoreKey): string {
  if (typeof key !== 'string' || key === '') throw new TypeError('strapi.store needs a "key", a text')
  const whole = [type, ...(name === undefined || name === '' ? [] : [name]), key].join('_')
  if (whole.length > MAX_KEY_CHARACTERS)
    throw new TypeError(`strapi.store takes keys of up to ${MAX_KEY_CHARACTERS} characters`)
  return whole
}
