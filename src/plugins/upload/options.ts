// Parses `plugins.upload.config` into options with defaults; refuses combinations that the file's schema
// cannot check.

import { resolve } from 'node:path'
import { type DatabaseClientName, databaseClients } from '../../config/database-clients.ts'
import type { Fault } from '../../config/plugin-rule.ts'
import type { RawConfig } from '../../config/raw-config.ts'
import { didYouMean } from '../../lib/did-you-mean.ts'
import { buildRecord } from '../../lib/is-record.ts'
import { parseSize } from '../../lib/parse-units.ts'
import type { OptionalPackage, PluginCode, PluginSettings } from '../plugin.ts'

export interface UploadOptions {
  /** `local`, `memory`, `aws-s3`, or the path of a module. */
  readonly provider: string
  readonly providerOptions: Readonly<Record<string, unknown>>
  /** In bytes, per file. */
  readonly sizeLimit: number
  readonly allowedTypes: readonly string[]
  /** Longest side of each image format in pixels, in the order of the file. */
  readonly breakpoints: ReadonlyMap<string, number>
  /** Whether images are compressed again, which also removes camera metadata. */
  readonly sizeOptimization: boolean
  /** Paths are relative to this directory of the configuration. */
  readonly directory: string
  /** Identifies the database without its secrets. */
  readonly database: string
}

const BREAKPOINTS = { large: 1000, medium: 750, small: 500 }

export function parseOptions({ config, whole }: PluginSettings): UploadOptions {
  const sizeLimit = config['sizeLimit']
  return {
    provider:
      typeof config['provider'] === 'string' ? config['provider'] : providerFor(whole.database.client),
    providerOptions: buildRecord(config['providerOptions']),
    sizeLimit:
      (typeof sizeLimit === 'string' || typeof sizeLimit === 'number' ? parseSize(sizeLimit) : undefined) ??
      whole.server.limits.upload,
    allowedTypes: Array.isArray(config['allowedTypes']) ? config['allowedTypes'].map(String) : [],
    breakpoints: new Map(
      Object.entries(buildRecord(config['breakpoints'] ?? BREAKPOINTS)).map(([name, pixels]) => [
        name,
        Number(pixels),
      ]),
    ),
    sizeOptimization: config['sizeOptimization'] !== false,
    directory: whole.directory,
    database: getIdentity(whole),
  }
}

/** It may still hold files after a change to another provider. */
export function getLocalFolder({ providerOptions, directory }: UploadOptions): string {
  const folder = providerOptions['directory']
  return resolve(directory, typeof folder === 'string' ? folder : './uploads')
}

function getIdentity({ database, directory }: PluginSettings['whole']): string {
  const { client, filename, connection, schema } = database
  const { connectionString = connection, host, port, database: name } = buildRecord(connection)
  const url =
    typeof connectionString === 'string' && URL.canParse(connectionString)
      ? new URL(connectionString)
      : undefined
  const file = filename === undefined ? undefined : resolve(directory, filename)
  return JSON.stringify([client, file, url?.host, url?.pathname, host, port, name, schema])
}

/** A user's provider is a module. */
export function getCode({ provider }: UploadOptions): readonly PluginCode[] {
  if (['local', 'memory', 'aws-s3'].includes(provider)) return []
  const path = ['plugins', 'upload', 'config', 'provider']
  return [{ text: provider, path, rule: 'a provider is made by a function' }]
}

/** Loaded with the first image, or with the provider. */
export function listPackages({ provider }: UploadOptions): readonly OptionalPackage[] {
  const images = { name: 'sharp', without: 'images get no formats', needed: false }
  if (provider !== 'aws-s3') return [images]
  const sdk = { name: '@aws-sdk/client-s3', without: 'the provider aws-s3 cannot work', needed: true }
  return [images, sdk]
}

/** Files must last as long as the entries that refer to them. */
function providerFor(client: DatabaseClientName): string {
  return databaseClients[client].keepsContent ? 'local' : 'memory'
}

const PROVIDER = ['plugins', 'upload', 'config', 'provider']

/** Options of the built-in providers; modules have options of their own. */
const getOptions: Readonly<Record<string, readonly string[]>> = {
  local: ['directory'],
  'aws-s3': ['rootPath', 'baseUrl', 's3Options'],
}

export function checkSettings(raw: RawConfig, fault: Fault): void {
  const { upload } = raw.plugins ?? {}
  if (typeof upload !== 'object') return
  const { provider = 'local', providerOptions } = upload.config ?? {}
  for (const key of Object.keys(buildRecord(providerOptions))) {
    const known = getOptions[String(provider)] ?? []
    const meant = known.includes(key) ? undefined : didYouMean(key, known)
    if (meant === undefined) continue
    const path = ['plugins', 'upload', 'config', 'providerOptions', key]
    const message = `"${key}" has no effect: the provider ${provider} does not know it`
    fault('CFG078', path, message, `did you mean "${meant}"?`, 'key', 'warning')
  }
  if (provider !== 'memory') return
  const { workers = 1 } = raw.server ?? {}
  if (workers > 1) {
    const message = `${workers} workers need a place for files that they can share`
    fault('CFG052', PROVIDER, message, 'set "provider: local", or one worker')
  }
  if (upload.enabled === false || !databaseClients[raw.database?.client ?? 'memory'].keepsContent) return
  const message = 'uploaded files are gone after a restart, and the entries that show them stay'
  fault('CFG062', PROVIDER, message, 'set "provider: local", or s3', 'value', 'warning')
}
