// The recorded configuration as a running CMS: in a directory of its own, so that a case can edit the file as a
// person would and have the edit taken live.

import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { type Cms, ConfigError, createCms } from '../../src/index.ts'
import { openTestDatabase } from '../support/test-database.ts'
import type { ComponentNames } from './compare.ts'
import type { Secrets } from './credentials.ts'
import { recorded, type Setup } from './recorded-case.ts'

type Json = Record<string, unknown>
export type SeedData = Record<string, Json[]>

/** How another corpus uses the recorded model and data. */
export interface Edition {
  /** The folder that holds its `variants`. */
  readonly folder: string
  /** The configuration of this folder -> its own. */
  config(config: Json): Json
  /** The data of this folder -> its own; `config` is the one that `config` answered. */
  data(data: SeedData, config: Json): SeedData
}

export interface RecordedCms {
  readonly cms: Cms
  readonly secrets: Secrets
  readonly components: ComponentNames
  /** By plural name: ids up to here belong to seeded entries. */
  readonly largestSeeded: ReadonlyMap<string, number>
  /** Edits the configuration and waits until the edit is live. */
  apply(setup: Setup): Promise<void>
  /** Data and configuration as they were at the start. */
  reset(): Promise<void>
  close(): Promise<void>
}

/** `variant` names a patch in `variants`: maps merge, everything else replaces. */
export async function openRecordedCms(variant: string | undefined, edition?: Edition): Promise<RecordedCms> {
  const directory = await mkdtemp(join(tmpdir(), 'cms-recorded-'))
  await cp(recorded, directory, { recursive: true, filter: (source) => !source.endsWith('/cases') })
  const file = join(directory, 'cms.yaml')
  const kept = parse(await readFile(file, 'utf8')) as Json
  const base = edition === undefined ? kept : edition.config(kept)
  const variants = join(edition?.folder ?? directory, 'variants')
  const patch: unknown =
    variant === undefined ? {} : parse(await readFile(join(variants, `${variant}.yaml`), 'utf8'))
  const original = merged(base, patch) as Json
  // The recorded secret is too short for our production; tokens are signed afresh anyway.
  at(original, ['plugins', 'users-permissions', 'config'])['jwtSecret'] = randomBytes(32).toString('hex')
  const seed = join(directory, 'data.json')
  let data = JSON.parse(await readFile(seed, 'utf8')) as SeedData
  if (edition !== undefined) {
    data = edition.data(data, base as Json)
    await writeFile(seed, JSON.stringify(data))
  }
  let current = original
  await writeFile(file, stringify(original))
  const database = await openTestDatabase()
  const cms = await createCms(file, { env: {}, ...database.options })
  const restore = await database.keep(cms)

  async function edit(next: Json): Promise<void> {
    await writeFile(file, stringify(next))
    try {
      await cms.reload()
      current = next
    } catch (error) {
      // What we refuse stays as it was; the answers will say whether that makes a difference.
      if (!(error instanceof ConfigError)) throw error
      await writeFile(file, stringify(current))
    }
  }

  return {
    cms,
    secrets: secretsOf(original, data),
    components: attributeNames(original, ({ type }) => type === 'component' || type === 'dynamiczone'),
    largestSeeded: largestSeeded(edition === undefined ? contentTypesOf(original) : [], data),
    async apply({ advanced, grant = {}, revoke = {} }) {
      const next = structuredClone(current)
      if (advanced !== undefined) {
        const config = at(next, ['plugins', 'users-permissions', 'config'])
        config['advanced'] = { ...(config['advanced'] as Json), ...advanced }
      }
      for (const [role, actions] of Object.entries(grant)) {
        const granted = at(next, ['auth', 'roles', role])
        granted['permissions'] = [...permissionsOf(granted), ...actions]
      }
      for (const [role, actions] of Object.entries(revoke)) {
        const revoked = at(next, ['auth', 'roles', role])
        revoked['permissions'] = permissionsOf(revoked).filter((action) => !actions.includes(action))
      }
      await edit(next)
    },
    async reset() {
      await restore()
      if (current !== original) await edit(original)
    },
    async close() {
      await cms.close()
      await database.drop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

function secretsOf(config: Json, data: Readonly<Record<string, readonly Json[]>>): Secrets {
  const tokens = at(config, ['auth'])['apiTokens'] as { name: string; token: string }[]
  const users = data['plugin::users-permissions.user'] ?? []
  return {
    jwtSecret: String(at(config, ['plugins', 'users-permissions', 'config'])['jwtSecret']),
    apiTokens: new Map(tokens.map(({ name, token }) => [name, token])),
    users: new Map(users.map((user) => [String(user['username']), Number(user['id'])])),
  }
}

function attributeNames(config: Json, wanted: (attribute: Json) => boolean): ReadonlySet<string> {
  const holders = [
    ...Object.values(at(config, ['contentTypes'])),
    ...Object.values(at(config, ['components'])),
  ]
  const names = new Set<string>()
  for (const holder of holders as Json[]) {
    for (const [name, attribute] of Object.entries(at(holder, ['attributes'])))
      if (wanted(attribute as Json)) names.add(name)
  }
  return names
}

/** Where entries are addressed by documentIds, only files have numbers that can be shifted. */
function contentTypesOf(config: Json): readonly (readonly [string, unknown])[] {
  return Object.entries(at(config, ['contentTypes']))
}

function largestSeeded(
  contentTypes: readonly (readonly [string, unknown])[],
  data: Readonly<Record<string, readonly Json[]>>,
): ReadonlyMap<string, number> {
  const largest = (uid: string): number => Math.max(0, ...(data[uid] ?? []).map(({ id }) => Number(id)))
  return new Map([
    ['files', largest('plugin::upload.file')],
    ...contentTypes.map(
      ([uid, type]) => [String(at(type as Json, ['info'])['pluralName']), largest(uid)] as const,
    ),
  ])
}

function permissionsOf(role: Json): readonly string[] {
  return (role['permissions'] ?? []) as string[]
}

function at(value: Json, path: readonly string[]): Json {
  return path.reduce((inner, key) => inner[key] as Json, value)
}

function merged(base: unknown, patch: unknown): unknown {
  if (!isMap(base) || !isMap(patch)) return patch
  const result: Json = { ...base }
  for (const [key, value] of Object.entries(patch)) result[key] = merged(result[key] ?? {}, value)
  return result
}

function isMap(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
