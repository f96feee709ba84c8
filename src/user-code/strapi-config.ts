// `strapi.config` for users' code. It has the `settings` of the configuration, and `server` and `api.rest` by Strapi's names.

import type { Config } from '../config/config.ts'
import type { Environment } from '../config/interpolate-env.ts'
import type { Diagnostic } from '../lib/errors/diagnostic.ts'
import { isRecord } from '../lib/is-record.ts'
import { isCode } from './code-references.ts'

export interface StrapiConfig extends Readonly<Record<string, unknown>> {
  /** By path: `get('custom.key', 'standard')`. */
  get(path: string, standard?: unknown): unknown
  has(path: string): boolean
}

interface Sources {
  readonly code: { exported(reference: string): unknown }
  readonly env: Environment
}

export function createStrapiConfig(
  config: Config,
  sources: Sources,
  report: (fault: Diagnostic) => void,
): StrapiConfig {
  const settings = Object.fromEntries(
    Object.entries(config.settings).map(([name, value]) => [name, readSetting(name, value, sources, report)]),
  )
  const { host, port, publicUrl, environment } = config.server
  const { prefix, defaultLimit, maxLimit, withCount } = config.rest
  const values: Readonly<Record<string, unknown>> = {
    environment,
    ...settings,
    server: merge(settings['server'], { host, port, url: publicUrl ?? `http://localhost:${port}` }),
    api: merge(settings['api'], { rest: { prefix, defaultLimit, maxLimit, withCount } }),
  }
  const find = (path: string): unknown =>
    path.split('.').reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), values)
  return {
    ...values,
    has: (path) => find(path) !== undefined,
    get(path, standard) {
      const [first = ''] = path.split('.')
      if (standard === undefined && !Object.hasOwn(values, first))
        throw new Error(
          `strapi.config has no "${first}": write it under "settings" (docs/reference/from-strapi.md)`,
        )
      return find(path) ?? standard
    },
  }
}

function merge(given: unknown, own: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { ...(isRecord(given) ? given : {}), ...own }
}

function readSetting(
  name: string,
  value: unknown,
  { code, env }: Sources,
  report: (fault: Diagnostic) => void,
): unknown {
  if (typeof value !== 'string' || !isCode(value)) return value
  const exported = code.exported(value)
  if (typeof exported !== 'function') return exported
  try {
    return (exported as (tools: object) => unknown)({ env: createEnv(env) })
  } catch (fault) {
    const message = `these settings could not be read: ${String(fault)}`
    report({ code: 'USR004', severity: 'error', path: ['settings', name], message })
    return undefined
  }
}

/** As files of Strapi's `config` folder receive it. */
function createEnv(variables: Environment) {
  const read =
    <T>(parse: (text: string) => T) =>
    (name: string, standard?: T): T | undefined => {
      const text = variables[name]
      return text === undefined ? standard : parse(text)
    }
  const list = (text: string): readonly string[] =>
    text
      .replace(/^\[|\]$/g, '')
      .split(',')
      .map((one) => one.trim().replace(/^"|"$/g, ''))
  return Object.assign(read(String), {
    int: read((text) => Number.parseInt(text, 10)),
    float: read(Number.parseFloat),
    bool: read((text) => text === 'true'),
    json: read((text) => JSON.parse(text) as unknown),
    array: read(list),
    date: read((text) => new Date(text)),
    oneOf(name: string, values: readonly string[], standard?: string) {
      const text = variables[name]
      return text !== undefined && values.includes(text) ? text : standard
    },
  })
}
