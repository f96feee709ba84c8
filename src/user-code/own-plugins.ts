// Loads, checks and configures external plugins before the model is built.

import type { Config, PluginConfig, PluginDeclaration } from '../config/config.ts'
import { loadConfig } from '../config/load-config.ts'
import type { PluginShorthands } from '../config/shorthand/shorthand.ts'
import { didYouMean } from '../lib/did-you-mean.ts'
import type { Diagnostic, DiagnosticPath } from '../lib/errors/diagnostic.ts'
import { isRecord } from '../lib/is-record.ts'
import type { EnabledPlugin } from '../plugins/plugin.ts'
import { type LoadCodeOptions, loadCode, type UserCode } from './load-user-code.ts'
import { type CmsPlugin, CONTRACT_VERSION, type PluginSetting } from './plugin-contract.ts'
import { declareActions, listAddedActions, type PluginExtension, runExtension } from './plugin-extension.ts'

export interface OwnPlugin {
  readonly name: string
  readonly plugin: CmsPlugin
  readonly settings: Readonly<Record<string, unknown>>
}

export interface LoadedPlugins {
  readonly plugins: readonly OwnPlugin[]
  readonly extensions: readonly PluginExtension[]
  readonly code: UserCode
  readonly declarations: Readonly<Record<string, PluginDeclaration>>
  readonly diagnostics: readonly Diagnostic[]
}

/** Plugins with a fault are left out. `shorthands`: the file's syntax for content-types. */
export async function loadOwnPlugins(
  config: Config,
  enabled: readonly EnabledPlugin[],
  options: LoadCodeOptions,
  shorthands: readonly PluginShorthands[],
): Promise<LoadedPlugins> {
  const named = Object.entries(config.plugins).flatMap(([name, plugin]) =>
    plugin.enabled && plugin.resolve !== undefined ? [{ name, plugin, resolve: plugin.resolve }] : [],
  )
  const references = named.map(({ name, resolve }) => ({ text: resolve, path: ['plugins', name, 'resolve'] }))
  const extended = enabled.flatMap(({ extension, contribution }) =>
    extension === undefined ? [] : { point: extension, contribution },
  )
  const code = await loadCode('plugins', [...references, ...extended.map(({ point }) => point)], options)
  const diagnostics = [...code.diagnostics]
  const plugins: OwnPlugin[] = []
  const declarations: Record<string, PluginDeclaration> = {}
  for (const { name, plugin, resolve } of named) {
    const value = code.exported(resolve)
    if (value === undefined) continue
    const path = ['plugins', name]
    const faults = listFaults(value)
    diagnostics.push(...faults.map((message) => toDiagnostic('USR017', [...path, 'resolve'], message)))
    if (faults.length > 0) continue
    const definition = value as CmsPlugin
    const { settings, wrong } = readSettings(definition, plugin.config, path)
    const { contentTypes, refused } = await readContentTypes(name, definition, config, shorthands)
    diagnostics.push(...wrong, ...refused)
    if (wrong.length + refused.length > 0) continue
    plugins.push({ name, plugin: definition, settings })
    const actions = (definition.operations ?? []).map(({ action }) => getPermission(name, action))
    declarations[name] = { contentTypes, actions: [...new Set(actions)] }
  }
  const extensions: PluginExtension[] = []
  for (const { point, contribution } of extended) {
    const { plugin, actions = [] } = contribution
    const value = code.exported(point.text)
    if (value === undefined) continue
    try {
      if (typeof value !== 'function') throw new TypeError('it exports no function of the plugin')
      const extension = await runExtension(plugin, value as (given: unknown) => unknown, point, actions)
      extensions.push(extension)
      Object.assign(declarations, declareActions(plugin, listAddedActions(extension)))
    } catch (fault) {
      const message = `this file cannot change the plugin: ${fault instanceof Error ? fault.message : String(fault)}`
      diagnostics.push(toDiagnostic('USR017', point.path, message))
    }
  }
  return { plugins, extensions, code, declarations, diagnostics }
}

export function getPermission(plugin: string, action: string): string {
  return `plugin::${plugin}.${action}`
}

const KEYS = ['contract', 'settings', 'contentTypes', 'operations', 'hooks'] as const
const OPERATION_KEYS = ['action', 'method', 'path', 'handler'] as const
const SETTING_KEYS = ['type', 'default', 'required', 'enum'] as const
const METHODS: readonly unknown[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const SETTING_TYPES: readonly unknown[] = ['string', 'integer', 'number', 'boolean']

function listFaults(value: unknown): readonly string[] {
  if (!isRecord(value)) return ['a plugin is an object with the key "contract"']
  const { contract, settings = {}, contentTypes = {}, operations = [], hooks } = value
  if (contract !== CONTRACT_VERSION) {
    const found = contract === undefined ? 'does not say its version' : `is for version ${String(contract)}`
    return [`this plugin ${found} of the contract; this cms-run loads "contract: ${CONTRACT_VERSION}"`]
  }
  return [
    ...listUnknownKeys('a plugin', value, KEYS),
    ...(isRecord(settings)
      ? Object.entries(settings).flatMap(([name, one]) => listSettingFaults(name, one))
      : ['"settings" is a map']),
    ...(isRecord(contentTypes) ? [] : ['"contentTypes" is a map']),
    ...(Array.isArray(operations) ? operations.flatMap(listOperationFaults) : ['"operations" is a list']),
    ...(hooks === undefined || typeof hooks === 'function' ? [] : ['"hooks" is a function']),
  ]
}

function listOperationFaults(value: unknown, index: number): readonly string[] {
  const subject = `operations[${index}]`
  if (!isRecord(value)) return [`${subject} is an object with "action", "method", "path" and "handler"`]
  const { action, method, path, handler } = value
  return [
    ...listUnknownKeys(subject, value, OPERATION_KEYS),
    ...(typeof action === 'string' && /^[a-z][\w-]*\.[a-z]\w*$/i.test(action)
      ? []
      : [`"action" of ${subject} is a controller and a name, such as "rating.top"`]),
    ...(METHODS.includes(method) ? [] : [`"method" of ${subject} is one of ${METHODS.join(', ')}`]),
    ...(typeof path === 'string' && /^(?:\/:?[\w-]+)*$/.test(path)
      ? []
      : [`"path" of ${subject} begins with a slash, such as "/top" or "/:id/stars"`]),
    ...(typeof handler === 'function' ? [] : [`"handler" of ${subject} is a function`]),
  ]
}

function listSettingFaults(name: string, value: unknown): readonly string[] {
  const subject = `the setting "${name}"`
  if (!isRecord(value)) return [`${subject} is an object with "type"`]
  const { type, default: standard, enum: allowed } = value
  if (!SETTING_TYPES.includes(type)) return [`"type" of ${subject} is one of ${SETTING_TYPES.join(', ')}`]
  const setting = value as unknown as PluginSetting
  return [
    ...listUnknownKeys(subject, value, SETTING_KEYS),
    ...(allowed === undefined || Array.isArray(allowed) ? [] : [`"enum" of ${subject} is a list`]),
    ...(standard === undefined || isOfType(setting, standard)
      ? []
      : [`the default of ${subject} is no ${type}`]),
  ]
}

function listUnknownKeys(subject: string, value: object, known: readonly string[]): readonly string[] {
  return Object.keys(value)
    .filter((key) => !known.includes(key))
    .map((key) => `unknown key "${key}" in ${subject}: ${suggestKey(key, known)}`)
}

function suggestKey(key: string, known: readonly string[]): string {
  const near = didYouMean(key, known)
  return near === undefined ? `known keys: ${known.join(', ')}` : `did you mean "${near}"?`
}

function readSettings(
  { settings: declared }: CmsPlugin,
  written: PluginConfig['config'],
  path: DiagnosticPath,
): { readonly settings: Readonly<Record<string, unknown>>; readonly wrong: readonly Diagnostic[] } {
  if (declared === undefined) return { settings: written, wrong: [] }
  const wrong: Diagnostic[] = []
  const fault = (key: string, message: string, help?: string): void =>
    void wrong.push(toDiagnostic('USR018', [...path, 'config', key], message, help))
  for (const key of Object.keys(written)) {
    if (Object.hasOwn(declared, key)) continue
    fault(key, `unknown key "${key}"`, suggestKey(key, Object.keys(declared)))
  }
  const settings: Record<string, unknown> = {}
  for (const [key, setting] of Object.entries(declared)) {
    const value = Object.hasOwn(written, key) ? written[key] : setting.default
    if (value === undefined) {
      if (setting.required === true)
        wrong.push(toDiagnostic('USR018', path, `the plugin needs the setting "${key}"`))
      continue
    }
    settings[key] = value
    if (!isOfType(setting, value)) fault(key, `"${key}" must be of type ${setting.type}`)
    else if (setting.enum !== undefined && !setting.enum.some((one) => one === value))
      fault(key, `"${key}" cannot be ${JSON.stringify(value)}`, `one of ${setting.enum.join(', ')}`)
  }
  return { settings, wrong }
}

function isOfType({ type }: PluginSetting, value: unknown): boolean {
  if (type === 'integer') return Number.isSafeInteger(value)
  return type === 'number' ? Number.isFinite(value) : typeof value === type
}

async function readContentTypes(
  name: string,
  { contentTypes = {} }: CmsPlugin,
  { dialect }: Config,
  shorthands: readonly PluginShorthands[],
): Promise<Pick<PluginDeclaration, 'contentTypes'> & { readonly refused: readonly Diagnostic[] }> {
  const entries = Object.entries(contentTypes)
  if (entries.length === 0) return { contentTypes: {}, refused: [] }
  const table = (key: string): string => `${name}_${key}`.replaceAll('-', '_')
  const object = {
    dialect,
    contentTypes: Object.fromEntries(
      entries.map(([key, type]) => [
        `plugin::${name}.${key}`,
        isRecord(type) ? { collectionName: table(key), ...type } : type,
      ]),
    ),
  }
  const { config, diagnostics } = await loadConfig({ object }, { env: {}, shorthands })
  const refused = diagnostics.map(({ severity, path, message, help }): Diagnostic => {
    const place = path.slice(1).join('.')
    return {
      ...toDiagnostic(
        'USR017',
        ['plugins', name, 'resolve'],
        `in its content-type ${place}: ${message}`,
        help,
      ),
      severity,
    }
  })
  const types = Object.entries(config?.contentTypes ?? {}).map(([uid, { sourceKey: _, ...type }]) => [
    uid,
    type,
  ])
  return { contentTypes: Object.fromEntries(types), refused }
}

function toDiagnostic(code: string, path: DiagnosticPath, message: string, help?: string): Diagnostic {
  return { code, severity: 'error', path, message, ...(help === undefined ? {} : { help }) }
}
