// Checks keys that require or exclude each other, which the JSON Schema cannot express.

import type { DiagnosticPath, Report } from '../lib/errors/diagnostic.ts'
import { parseSize } from '../lib/parse-units.ts'
import { databaseClients, databaseKeys, listClients } from './database-clients.ts'
import { getUid } from './normalize-content-type.ts'
import type { Fault, PluginRule } from './plugin-rule.ts'
import type { RawApiToken, RawConfig, RawContentType, RawMap } from './raw-config.ts'

/** `raw` must have passed `checkShape`. */
export function checkRules(raw: RawConfig, plugins: readonly PluginRule[], report: Report): void {
  const fault = (
    code: string,
    path: DiagnosticPath,
    message: string,
    help: string,
    at: 'key' | 'value' = 'value',
    severity: 'error' | 'warning' = 'error',
  ) => report({ code, severity, path, message, help, at })
  checkServer(raw, fault)
  checkRest(raw, fault)
  checkDatabase(raw.database ?? {}, fault)
  for (const rule of plugins) rule(raw, fault)
  checkNames('contentTypes', raw.contentTypes, fault)
  if (typeof raw.data === 'object') checkNames('data', raw.data, fault)
  for (const [key, type] of Object.entries(raw.contentTypes)) checkContentType(key, type, fault)
  for (const [key, component] of Object.entries(raw.components ?? {})) {
    checkRelations(['components', key, 'attributes'], component.attributes, fault)
  }
  raw.auth?.apiTokens?.forEach((token, index) => {
    checkToken(token, ['auth', 'apiTokens', index], fault)
  })
  for (const name of Object.keys(raw.auth?.providers ?? {})) checkProvider(name, raw.auth ?? {}, fault)
}

function checkServer({ server = {}, database = {} }: RawConfig, fault: Fault): void {
  const { cors = {}, limits = {}, workers = 1 } = server
  // The schema has only texts and numbers for these.
  const { body = '1mb', bodies } = limits as RawMap<string | number>
  if (bodies !== undefined && (parseSize(bodies) ?? 0) < (parseSize(body) ?? 0)) {
    const message = `"bodies" (${bodies}) is below "body" (${body})`
    fault('CFG055', ['server', 'limits', 'bodies'], message, 'raise the one or lower the other')
  }
  if (cors.credentials === true && (cors.origin ?? '*') === '*') {
    const message = 'credentials cannot be allowed to any origin'
    fault(
      'CFG051',
      ['server', 'cors', 'credentials'],
      message,
      'list the origins: "origin: [https://example.com]"',
    )
  }
  if (server.trouble !== undefined && server.environment === 'production') {
    const message = 'responses are disturbed on purpose, in production'
    fault('CFG048', ['server', 'trouble'], message, 'take it out; it is for tests and development', 'key')
  }
  if (workers > 1 && !databaseClients[database.client ?? 'memory'].isShared) {
    const message = `${workers} workers need a database that they can share`
    fault(
      'CFG052',
      ['server', 'workers'],
      message,
      `set "database.client: ${listClients(({ isShared }) => isShared).join('" or "')}", or one worker`,
    )
  }
}

function checkRest({ rest = {}, dialect }: RawConfig, fault: Fault): void {
  if (rest.strictRelations === true && dialect !== 'strapi-5') {
    const message = '"strictRelations" is for the dialect strapi-5'
    const help = 'take it out: strapi-4 checks required media always, required relations never'
    fault('CFG079', ['rest', 'strictRelations'], message, help, 'key')
  }
  const { defaultLimit, maxLimit } = rest
  if (defaultLimit === undefined || typeof maxLimit !== 'number' || defaultLimit <= maxLimit) return
  const message = `"defaultLimit" (${defaultLimit}) is above "maxLimit" (${maxLimit})`
  fault('CFG055', ['rest', 'defaultLimit'], message, 'lower the one or raise the other')
}

function checkDatabase(raw: NonNullable<RawConfig['database']>, fault: Fault): void {
  const { client = 'memory', pool } = raw
  const { place, example, takes, places } = databaseClients[client]
  if (place !== undefined && raw[place] === undefined)
    fault('CFG011', ['database'], `"database" needs the key "${place}"`, `for example "${example}"`, 'key')
  for (const key of databaseKeys) {
    const value = raw[key]
    if (takes.includes(key) || value === undefined || value === false || isEmpty(value)) continue
    const owners = listClients((one) => one.takes.includes(key)).map((name) => `"client: ${name}"`)
    fault(
      'CFG053',
      ['database', key],
      `"${key}" is not for the ${client} database`,
      `it is for ${owners.join(' and ')}`,
      'key',
    )
  }
  const { connection } = raw
  if (takes.includes('connection') && typeof connection === 'string' && places?.test(connection) === false) {
    const owners = listClients((one) => one.places?.test(connection) === true)
    fault(
      'CFG053',
      ['database', 'connection'],
      `this URL is not of a ${client} database`,
      `write "client: ${owners.join('" or "client: ')}", or another URL`,
    )
  }
  if (pool !== undefined && (pool.min ?? 0) > (pool.max ?? 10)) {
    fault(
      'CFG055',
      ['database', 'pool', 'min'],
      `"min" is above "max" (${pool.max ?? 10})`,
      'lower the one or raise the other',
    )
  }
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

/** Treats `article` and `api::article.article` as the same name. */
function checkNames(section: string, map: RawMap, fault: Fault): void {
  const seen = new Map<string, string>()
  for (const key of Object.keys(map)) {
    const uid = getUid(key)
    const first = seen.get(uid)
    if (first === undefined) seen.set(uid, key)
    else
      fault(
        'CFG050',
        [section, key],
        `"${key}" is the same content-type as "${first}"`,
        'join the two',
        'key',
      )
  }
}

function checkContentType(key: string, type: RawContentType, fault: Fault): void {
  const path = ['contentTypes', key]
  if (type.rest?.only !== undefined && type.rest.except !== undefined) {
    fault(
      'CFG054',
      [...path, 'rest', 'except'],
      '"only" and "except" do not go together',
      'keep one of them',
      'key',
    )
  }
  const { singularName, pluralName } = type.info ?? {}
  if (pluralName !== undefined && pluralName === (singularName ?? key.slice(key.lastIndexOf('.') + 1))) {
    const help = 'both name fields of GraphQL: "restaurant" and "restaurants"'
    fault('CFG056', [...path, 'info', 'pluralName'], '"pluralName" and "singularName" are the same', help)
  }
  checkRelations([...path, 'attributes'], type.attributes, fault)
}

function checkRelations(path: DiagnosticPath, attributes: RawContentType['attributes'], fault: Fault): void {
  for (const [name, attribute] of Object.entries(attributes)) {
    if (typeof attribute === 'string' || attribute['type'] !== 'relation') continue
    const { relation, target } = attribute
    if (target !== undefined || relation === 'morphToOne' || relation === 'morphToMany') continue
    const help = 'the uid of the other content-type, such as "target: api::category.category"'
    fault('CFG011', [...path, name], `"${name}" needs the key "target"`, help, 'key')
  }
}

function checkToken(token: RawApiToken, path: DiagnosticPath, fault: Fault): void {
  if (token.token === undefined && token.tokenHash === undefined) {
    const help = `for example "token: \${${token.name.replaceAll(/\W+/g, '_').toUpperCase()}_TOKEN}"`
    fault('CFG011', path, `the token "${token.name}" needs the key "token" or "tokenHash"`, help)
  } else if (token.token !== undefined && token.tokenHash !== undefined) {
    const help = 'keep one of them'
    fault('CFG054', [...path, 'tokenHash'], '"token" and "tokenHash" do not go together', help, 'key')
  }
  if (token.type === 'custom' && token.permissions === undefined) {
    const help = 'what it may do, such as "permissions: [restaurant.find]"'
    fault('CFG011', path, `the custom token "${token.name}" needs the key "permissions"`, help)
  } else if (token.type !== 'custom' && token.permissions !== undefined) {
    const message = `"permissions" are for custom tokens; this one is ${token.type ?? 'read-only'}`
    fault('CFG054', [...path, 'permissions'], message, 'write "type: custom", or remove them', 'key')
  }
}

function checkProvider(
  name: string,
  { providers, roles }: NonNullable<RawConfig['auth']>,
  fault: Fault,
): void {
  const path = ['auth', 'providers', name]
  const { audience, console } = providers?.[name] ?? {}
  if (audience === undefined && console === undefined) {
    const help =
      'with "audience" its tokens are believed by the API, with "console" its accounts log in there'
    fault('CFG011', path, `the provider "${name}" needs the key "audience" or "console"`, help)
  }
  const isOpen = Object.values(roles ?? {}).some(
    (role) => role.console !== undefined && role.console !== false,
  )
  if (console !== undefined && !isOpen) {
    const message = `"console" of the provider "${name}" does nothing: no role lets its users in`
    fault('CFG054', [...path, 'console'], message, 'write "console: true" at a role', 'key')
  }
}
