// Builds Config and Model from a file or an object, or returns all diagnostics.

import { checkRules } from '../access/check-rules.ts'
import { completeRoles } from '../access/complete-roles.ts'
import { listAllActions } from '../access/permissions.ts'
import type { Config } from '../config/config.ts'
import { hideSecrets } from '../config/hide-secrets.ts'
import { type ConfigSource, type LoadedConfig, type LoadOptions, loadConfig } from '../config/load-config.ts'
import type { Remainder } from '../config/remainder.ts'
import { type Refusal, refuseForeign, refusesNothing, type SentText } from '../config/sent-text.ts'
import { type AccessSummary, getAccess } from '../describe/access-summary.ts'
import { loadExpressionParser } from '../expressions/load-parser.ts'
import type { Diagnostic } from '../lib/errors/diagnostic.ts'
import { isRecord } from '../lib/is-record.ts'
import { waitForTurn } from '../lib/next-turn.ts'
import { buildModel } from '../model/build-model.ts'
import type { Model } from '../model/model.ts'
import { listPermissions } from '../model/permission-list.ts'
import { usesExpressions } from '../model/uses-expressions.ts'
import { askFault, holdsForNone } from '../plan/conditions/plan-expression.ts'
import type { EnabledPlugin } from '../plugins/plugin.ts'
import {
  enablePlugins,
  getModelParts,
  listContributions,
  pluginRules,
  pluginShorthands,
  uploadFolders,
} from '../plugins/plugin-host.ts'
import { checkCode } from '../user-code/check-code.ts'
import { loadUserCode, noUserCode } from '../user-code/load-user-code.ts'
import { type CodeOptions, createOwnCode, noOwnCode, type OwnCode } from '../user-code/own-code.ts'
import { loadOwnPlugins } from '../user-code/own-plugins.ts'
import { declareActions } from '../user-code/plugin-extension.ts'
import { createUserModules, type UserModules } from '../user-code/user-modules.ts'
import { checkOwnExpressions } from './check-own-expressions.ts'

export type { ConfigSource } from '../config/load-config.ts'

export interface CheckOptions extends LoadOptions {
  readonly code?: CodeOptions
  readonly modules?: UserModules
  /** False: the files that the configuration names, apart from those of plugins, are not loaded. */
  readonly loadsCode?: boolean
  /**
   * Whether the program has a `register`: guards of GraphQL are then checked after it has run, since it may
   * add some.
   */
  readonly registers?: boolean
}

/** `config` and `model` are both defined when there are no errors, and both undefined otherwise. */
export interface CheckedConfig extends LoadedConfig {
  readonly model: Model | undefined
  readonly own: OwnCode
  readonly plugins: readonly EnabledPlugin[]
  readonly actions: ReadonlySet<string>
  readonly access: AccessSummary | undefined
  /** For a file with errors: the file without its faulty parts, if that is valid. */
  readonly remainder?: ValidRemainder | undefined
}

interface ValidRemainder extends ValidConfig {
  readonly remainder: Remainder
}

export interface ValidConfig {
  readonly config: Config
  readonly model: Model
  readonly own: OwnCode
  readonly plugins: readonly EnabledPlugin[]
  readonly actions: ReadonlySet<string>
  readonly access: AccessSummary
}

/** `config` may differ in settings, but not in its model or code. */
export function withSettings(valid: ValidConfig, config: Config): ValidConfig {
  return { ...valid, config, plugins: enablePlugins(config), access: getAccess({ ...valid, config }) }
}

export function isValid(checked: CheckedConfig): checked is CheckedConfig & ValidConfig {
  return checked.config !== undefined && checked.model !== undefined
}

/** Checks the remaining parts after an error, so that all faults are reported at once. */
export async function checkConfig(source: ConfigSource, options: CheckOptions): Promise<CheckedConfig> {
  const loaded = await loadConfig(source, { rules: pluginRules, shorthands: pluginShorthands, ...options })
  const checked = await checkLoaded(loaded, source, options)
  if (isValid(checked)) return { ...checked, rest: undefined }
  return checkRemainder(checked, loaded, (config) =>
    checkLoaded({ ...loaded, config, diagnostics: [] }, source, options),
  )
}

const nothing = {
  config: undefined,
  model: undefined,
  own: noOwnCode,
  plugins: [],
  actions: new Set<string>(),
  access: undefined,
}

async function checkLoaded(
  loaded: LoadedConfig,
  source: ConfigSource,
  options: CheckOptions,
): Promise<CheckedConfig> {
  const { config: written, secrets } = loaded
  if (written === undefined) return { ...loaded, ...nothing }
  const { directory } = written
  const { modules = createUserModules() } = options
  const sent = 'file' in source ? source.sent : undefined
  const refusal = (plugins: readonly EnabledPlugin[]): Refusal =>
    sent === undefined ? refusesNothing : refuseForeign(directory, withUploads(sent, plugins))
  const known = enablePlugins(written)
  const refuse = refusal(known)
  const loading = { modules, refuse, env: loaded.env }
  const { loadsCode = true } = options
  const outside = await loadOwnPlugins(
    written,
    loadsCode ? known : [],
    { ...loading, directory },
    pluginShorthands,
  )
  const seen = {
    ...loaded,
    files: [...loaded.files, ...outside.code.files],
    hash: loaded.hash + outside.code.hash,
  }
  const declared = {
    ...written,
    ownPlugins: { ...outside.declarations, ...(!loadsCode && declareNamedActions(written, known)) },
  }
  const settings: Diagnostic[] = [...outside.diagnostics]
  const enabled = enablePlugins(declared, (fault) => settings.push(fault))
  const contributions = listContributions(enabled)
  if (usesExpressions(declared)) await loadExpressionParser()
  await waitForTurn()
  const outcome = buildModel(declared, getModelParts(enabled), {
    policies: Object.keys(options.code?.policies ?? {}),
    middlewares: Object.keys(options.code?.middlewares ?? {}),
    registers: options.registers === true,
  })
  const unaskable = outcome.ok ? checkOwnExpressions(outcome.value) : []
  const ofModel = outcome.ok ? outcome.warnings : outcome.diagnostics
  const found = [...settings, ...ofModel, ...unaskable]
  const diagnostics = [...loaded.diagnostics, ...hideSecrets(found, secrets.texts)]
  if (!outcome.ok || unaskable.length > 0 || settings.some(isError))
    return { ...seen, diagnostics, ...nothing }

  const config = completeRoles(declared, contributions)
  const plugins = enablePlugins(config)
  const code = loadsCode ? await loadUserCode(config, plugins, loading) : noUserCode
  const own = createOwnCode(config, { code, plugins: outside, env: loaded.env }, options.code)
  const model = outcome.value
  const actions = listAllActions(model, contributions, config)
  const built = {
    model,
    actions,
    registers: options.registers === true || registers(config, own),
  }
  const byRules: Diagnostic[] = []
  checkRules(
    { declared, completed: config },
    {
      model,
      actions,
      askable: {
        fault: askFault,
        isNever: (type, where) => holdsForNone(type, where, { me: null, now: 0, role: '' }),
      },
      report: (diagnostic) => byRules.push(diagnostic),
    },
  )
  const byPlugins = plugins.flatMap((plugin) => plugin.checkWithCode?.(built) ?? [])
  const reported = [...byRules, ...code.diagnostics, ...(await checkCode(config, plugins, own)), ...byPlugins]
  const faults = hideSecrets(reported, secrets.texts)
  const whole = {
    ...seen,
    config,
    diagnostics: [...diagnostics, ...faults],
    files: [...seen.files, ...code.files],
    hash: seen.hash + code.hash,
  }
  if (faults.some(isError)) return { ...whole, ...nothing }
  const access = getAccess({ config, model, actions })
  return { ...whole, model, own, plugins, actions, access }
}

/** Without the code that declares them, permissions of a changed plugin are those that roles name. */
function declareNamedActions({ auth }: Config, plugins: readonly EnabledPlugin[]): Config['ownPlugins'] {
  const named = Object.values(auth.roles).flatMap(({ permissions = [] }) =>
    listPermissions(permissions).map(({ pattern }) => pattern),
  )
  const declared = plugins.map(({ extension, contribution: { plugin } }) => {
    const actions = named.filter((one) => one.startsWith(`plugin::${plugin}.`) && !one.includes('*'))
    return extension === undefined ? {} : declareActions(plugin, actions)
  })
  return Object.assign({}, ...declared) as Config['ownPlugins']
}

/** The folder that the planned text names counts as a folder of uploads, too. */
function withUploads(
  { loaded, onlyLoaded = false, uploads }: SentText,
  plugins: readonly EnabledPlugin[],
): Omit<SentText, 'text'> {
  return { loaded, onlyLoaded, uploads: [...uploads, ...uploadFolders(plugins)] }
}

/** Loads users' code anew, so that two instances share none of its state. */
export async function loadCodeAgain(checked: CheckedConfig, options: CheckOptions): Promise<CheckedConfig> {
  const { config, own, plugins } = checked
  if (config === undefined || own.isEmpty) return checked
  const { modules = createUserModules() } = options
  const loading = { directory: config.directory, modules, refuse: refusesNothing, env: own.env }
  const outside = await loadOwnPlugins(config, plugins, loading, pluginShorthands)
  const code = await loadUserCode(config, plugins, loading)
  const again = {
    ...checked,
    own: createOwnCode(config, { code, plugins: outside, env: own.env }, options.code),
  }
  return [...code.diagnostics, ...outside.diagnostics].some(isError)
    ? {
        ...again,
        diagnostics: [...outside.diagnostics, ...code.diagnostics],
        config: undefined,
        model: undefined,
      }
    : again
}

function registers({ extensions }: Config, { code, plugins }: OwnCode): boolean {
  if (plugins.some(({ plugin }) => plugin.hooks !== undefined)) return true
  const hooks = extensions === undefined ? undefined : code.exported(extensions)
  return isRecord(hooks) && hooks['register'] !== undefined
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error'
}

/** Each round finds faults that those of the round before had hidden. */
const MAX_ROUNDS = 8

async function checkRemainder(
  checked: CheckedConfig,
  { rest, config }: LoadedConfig,
  check: (config: Config) => Promise<CheckedConfig>,
): Promise<CheckedConfig> {
  const diagnostics = [...checked.diagnostics]
  const told = new Set(diagnostics.map(buildKey))
  // `rest` already lacks the parts with a wrong shape.
  let remainder = config === undefined ? rest : rest?.without(checked.diagnostics.filter(isError))
  for (let round = 0; remainder !== undefined && round < MAX_ROUNDS; round++) {
    const again = await check(remainder.config)
    for (const found of again.diagnostics) {
      const fault = { ...found, path: remainder.inFile(found.path) }
      if (remainder.touches(found) || told.has(buildKey(fault))) continue
      told.add(buildKey(fault))
      diagnostics.push(fault)
    }
    if (isValid(again)) {
      const { config, model, own, plugins, actions, access } = again
      const valid = { config, model, own, plugins, actions, access }
      return { ...checked, diagnostics, remainder: { ...valid, remainder } }
    }
    remainder = remainder.without(again.diagnostics.filter(isError))
  }
  return { ...checked, diagnostics }
}

function buildKey({ code, path, message }: Diagnostic): string {
  return JSON.stringify([code, path, message])
}
