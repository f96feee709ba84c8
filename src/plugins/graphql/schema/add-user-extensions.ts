// Adds users' types, resolvers and resolver options to the schema; faults are reported at the extension's
// configuration entry.

import { GraphQLError, type GraphQLField, type GraphQLSchema, isObjectType, validateSchema } from 'graphql'
import { didYouMean } from '../../../lib/did-you-mean.ts'
import type { Diagnostic, DiagnosticPath, Report } from '../../../lib/errors/diagnostic.ts'
import { isRecord } from '../../../lib/is-record.ts'
import type { GraphqlCustomization, ResolverOptions, UserExtension } from '../../graphql-customization.ts'
import type { GraphqlContext } from '../../graphql-extension.ts'
import type { FieldOptions } from '../checks/one-sided-policies.ts'
import { resolveFacts, withFacts } from '../fields/field-facts.ts'
import { extendWithSdl } from './add-extension.ts'
import { addResolvers, type TellFault } from './add-resolvers.ts'
import { addNexusTypes, loadNexus } from './nexus-types.ts'
import { wrapField } from './wrap-field.ts'

const KEYS = ['types', 'typeDefs', 'plugins', 'resolvers', 'resolversConfig']

export interface SchemaCustomization extends GraphqlCustomization {
  /** Reports operations that policies leave open, if only the built schema shows them. */
  checkGuards(fields: ReadonlyMap<string, FieldOptions>): readonly Diagnostic[]
}

type Extension = Readonly<Record<string, unknown>>
type Field = GraphQLField<unknown, GraphqlContext>

export async function addUserExtensions(
  schema: GraphQLSchema,
  customization: SchemaCustomization,
  report: Report,
): Promise<GraphQLSchema> {
  let extended = schema
  const options = new Map<string, ResolverOptions>()
  for (const registered of customization.extensions) {
    const fault = buildFault(registered, report)
    try {
      const extension = await readExtension(registered, customization)
      const unknown = Object.keys(extension).find((key) => !KEYS.includes(key))
      if (unknown !== undefined) {
        const near = didYouMean(unknown, KEYS)
        fault(
          `an extension has no "${unknown}"`,
          near === undefined ? KEYS.join(', ') : `did you mean "${near}"?`,
        )
      }
      extended = await extendedBy(extension, extended, registered, report)
      addResolvers(extension['resolvers'], extended, customization, fault)
      const inFile = isRecord(registered.extension) && registered.path.length > 0
      const path = inFile ? [...registered.path, 'resolversConfig'] : registered.path
      await collectOptions(extension['resolversConfig'], path, inFile, customization, options, report)
    } catch (error) {
      reportThrown(error, registered, report)
    }
  }
  const path = ['graphql', 'resolversConfig']
  await collectOptions(customization.resolversConfig, path, true, customization, options, report)
  for (const diagnostic of customization.checkGuards(listGuards(options))) report(diagnostic)
  for (const [key, { path: at, ...given }] of byPlace(options))
    applyOptions(key, at, given, extended, customization, report)
  for (const field of ownFields(extended, schema)) wrapField(field, NO_OPTIONS, customization.readState)
  for (const error of validateSchema(extended)) {
    report({
      code: 'USR013',
      severity: 'error',
      path: ['graphql'],
      message: `the schema is not valid: ${error.message}`,
    })
  }
  return extended
}

const NO_OPTIONS: ResolverOptions = { auth: undefined, policies: [], middlewares: [] }

async function readExtension(
  { extension }: UserExtension,
  { tools }: GraphqlCustomization,
): Promise<Extension> {
  const made: unknown =
    typeof extension === 'function'
      ? await (extension as (given: object) => unknown)({
          // Loaded on first use: nexus is large, and most extensions are SDL.
          get nexus() {
            return loadNexus()
          },
          ...tools,
        })
      : extension
  if (made === undefined) return {}
  if (!isRecord(made)) throw new TypeError('an extension is an object, or a function that returns one')
  return made
}

async function extendedBy(
  { typeDefs, types, plugins }: Extension,
  schema: GraphQLSchema,
  registered: UserExtension,
  report: Report,
): Promise<GraphQLSchema> {
  let extended = schema
  if (typeof typeDefs === 'string' && typeDefs.trim() !== '') {
    try {
      extended = extendWithSdl(extended, typeDefs)
    } catch (error) {
      reportSdl(error, registered, typeDefs, report)
    }
  }
  if (Array.isArray(types) || Array.isArray(plugins)) {
    extended = addNexusTypes(extended, getList(types), getList(plugins))
  }
  return extended
}

function getList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Reports the position in the SDL, if the SDL is written in the configuration. */
function reportSdl(
  error: unknown,
  { path, name, extension }: UserExtension,
  typeDefs: string,
  report: Report,
): void {
  if (!(error instanceof Error)) throw error
  const inFile = isRecord(extension) && path.length > 0
  const at = getPlace(error, typeDefs)
  const line = at === undefined ? undefined : typeDefs.slice(0, at[0]).split('\n').length
  const where = inFile || line === undefined ? '' : ` (${name}, line ${line} of typeDefs)`
  report({
    code: 'USR011',
    severity: 'error',
    path: inFile ? [...path, 'typeDefs'] : path,
    ...(inFile && at !== undefined ? { within: at } : {}),
    message: `these types cannot be added: ${error.message.split('\n')[0]}${where}`,
  })
}

/** Errors of schema rules have no position: the quoted name is searched in the SDL. */
function getPlace(error: Error, typeDefs: string): readonly [start: number, end: number] | undefined {
  const position = error instanceof GraphQLError ? error.positions?.[0] : undefined
  if (position !== undefined) return [position, position + 1]
  const quoted = /"(?:\w+\.)?(\w+)[^"]*"/.exec(error.message)?.[1]
  if (quoted === undefined) return undefined
  const found = new RegExp(`\\b${quoted}\\b`).exec(typeDefs)
  return found === null ? undefined : [found.index, found.index + quoted.length]
}

function buildFault({ path, name }: UserExtension, report: Report): TellFault {
  return (message, help) =>
    report({
      code: 'USR012',
      severity: 'error',
      path,
      message: `${message} (${name})`,
      ...(help === undefined ? {} : { help }),
    })
}

function reportThrown(error: unknown, registered: UserExtension, report: Report): void {
  const message = error instanceof Error ? error.message : String(error)
  buildFault(registered, report)(`this extension cannot be added: ${message.split('\n')[0]}`)
}

function listGuards(options: ReadonlyMap<string, ResolverOptions>): ReadonlyMap<string, FieldOptions> {
  return new Map(
    [...byPlace(options)].map(([key, { auth, policies, path }]) => [
      key,
      { auth, policies: policies.length === 0 ? undefined : path },
    ]),
  )
}

const places = new WeakMap<ResolverOptions, DiagnosticPath>()

function* byPlace(
  options: ReadonlyMap<string, ResolverOptions>,
): Generator<[string, ResolverOptions & { readonly path: DiagnosticPath }]> {
  for (const [key, given] of options) yield [key, { ...given, path: places.get(given) ?? [] }]
}

/** Policies and middlewares of several extensions are combined; the last `auth` applies. */
async function collectOptions(
  config: unknown,
  path: DiagnosticPath,
  byKey: boolean,
  customization: GraphqlCustomization,
  options: Map<string, ResolverOptions>,
  report: Report,
): Promise<void> {
  if (config === undefined) return
  if (!isRecord(config)) {
    report({ code: 'USR012', severity: 'error', path, message: 'resolversConfig is given by "Type.field"' })
    return
  }
  for (const [key, given] of listByField(config)) {
    const at = byKey ? [...path, key] : path
    const named: Report = (fault) =>
      report(byKey ? fault : { ...fault, path, message: `${fault.message} (${key})` })
    const before = options.get(key) ?? NO_OPTIONS
    const now = await customization.bind(given, at, named)
    const joined = {
      auth: now.auth ?? before.auth,
      policies: [...before.policies, ...now.policies],
      middlewares: [...before.middlewares, ...now.middlewares],
    }
    places.set(joined, at)
    options.set(key, joined)
  }
}

/** `{ Query: { article: … } }` means the same as `{ 'Query.article': … }`, as in Strapi. */
function listByField(config: Readonly<Record<string, unknown>>): readonly (readonly [string, unknown])[] {
  return Object.entries(config).flatMap(([key, given]) =>
    !key.includes('.') && isRecord(given) && Object.values(given).every(isRecord)
      ? Object.entries(given).map(([field, options]) => [`${key}.${field}`, options] as const)
      : [[key, given] as const],
  )
}

function applyOptions(
  key: string,
  path: DiagnosticPath,
  options: ResolverOptions,
  schema: GraphQLSchema,
  { readState }: GraphqlCustomization,
  report: Report,
): void {
  const [typeName = '', fieldName = '', ...more] = key.split('.')
  const type = schema.getType(typeName)
  const field = isObjectType(type) ? (type.getFields()[fieldName] as Field | undefined) : undefined
  if (field === undefined || more.length > 0) {
    const near = isObjectType(type)
      ? didYouMean(fieldName, Object.keys(type.getFields()))
      : didYouMean(typeName, Object.keys(schema.getTypeMap()))
    const meant =
      near === undefined ? undefined : isObjectType(type) ? `${typeName}.${near}` : `${near}.${fieldName}`
    report({
      code: 'USR014',
      // Code of Strapi may have some of fields that are gone, which Strapi ignores.
      severity: path.at(-1) === key || meant !== undefined ? 'error' : 'warning',
      path,
      at: 'key',
      message: `options of "${key}", and the schema has no such field`,
      ...(meant === undefined ? {} : { help: `did you mean "${meant}"?` }),
    })
    return
  }
  const { auth } = options
  if (auth !== undefined)
    field.extensions = { ...field.extensions, ...withFacts({ ...resolveFacts(field), auth }) }
  if (options.policies.length + options.middlewares.length > 0) wrapField(field, options, readState)
}

/** Their resolvers receive `context.state`. */
function* ownFields(extended: GraphQLSchema, before: GraphQLSchema): Generator<Field> {
  for (const type of Object.values(extended.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue
    const old = before.getType(type.name)
    const known = isObjectType(old) ? old.getFields() : {}
    for (const field of Object.values(type.getFields())) {
      if (!Object.hasOwn(known, field.name) && field.resolve !== undefined) yield field as Field
    }
  }
}
