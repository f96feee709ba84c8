// Makes an equivalent configuration object from a Strapi project, and notes about what was left out.

import { EnvironmentVariable, toAuthorText } from '../../config/author-text.ts'
import type { YamlComment } from '../../config/yaml/write-yaml.ts'
import { buildRecord } from '../../lib/is-record.ts'
import {
  buildTypeKey,
  convertComponent,
  convertContentType,
  findUnpairedRelations,
} from './convert-schema.ts'
import type { Guards } from './guards.ts'
import { ImportNotes } from './import-notes.ts'
import { makeRoles } from './make-roles.ts'
import { pairRelations } from './pair-relations.ts'
import { FILE, isExtensible, type Json, type StrapiSource, USER } from './strapi-source.ts'

interface MadeConfig {
  /** As an author would write it: texts of the project are escaped. */
  readonly config: Json
  readonly comments: readonly YamlComment[]
  readonly notes: ImportNotes
}

/** The attributes that the plugins themselves declare, which an archive lists among the others. */
const OWN_ATTRIBUTES: Readonly<Record<string, ReadonlySet<string>>> = {
  [USER]: new Set([
    ...['username', 'email', 'provider', 'password', 'resetPasswordToken', 'confirmationToken'],
    ...['confirmed', 'blocked', 'role'],
  ]),
  [FILE]: new Set([
    ...['name', 'alternativeText', 'caption', 'width', 'height', 'formats', 'hash', 'ext', 'mime', 'size'],
    ...[
      'url',
      'previewUrl',
      'provider',
      'provider_metadata',
      'related',
      'folder',
      'folderPath',
      'focalPoint',
    ],
  ]),
}

export function makeConfig(
  source: StrapiSource,
  guards: Guards,
  knows: (action: string) => boolean = () => true,
): MadeConfig {
  const taken = new Map(
    [...source.contentTypes].filter(([uid]) => uid.startsWith('api::') || isExtensible(uid)),
  )
  const paired = pairRelations(taken)
  const notes = new ImportNotes()
  notes.addAll([...guards.notes.list, ...source.notes, ...paired.notes])
  const known = {
    types: new Set([...taken.keys(), USER, FILE, 'plugin::users-permissions.role']),
    components: new Set(source.components.keys()),
    unpaired: findUnpairedRelations(paired.contentTypes),
    customFields: source.customFields ?? new Map<string, string>(),
    notes,
  }
  const contentTypes: Record<string, unknown> = {}
  for (const [uid, schema] of paired.contentTypes) {
    if (isExtensible(uid)) continue
    const options = guards.carried.options.get(uid)
    const lifecycles = guards.carried.lifecycles.get(uid)
    contentTypes[buildTypeKey(uid, schema)] = {
      ...convertContentType(uid, schema, known),
      ...(lifecycles !== undefined && { lifecycles }),
      ...(options !== undefined && { rest: { config: options } }),
    }
  }
  for (const uid of [USER, FILE]) {
    const { attributes } = convertContentType(uid, { attributes: listAdded(paired.contentTypes, uid) }, known)
    if (Object.keys(buildRecord(attributes)).length > 0) contentTypes[uid] = { attributes }
  }
  const components = Object.fromEntries(
    [...source.components].map(([uid, schema]) => [uid, convertComponent(uid, schema, known)]),
  )
  const { roles, comments } = makeRoles(source, { guards, knows }, notes)
  const config = toAuthorText({
    ...(source.apiVersion === 'strapi-4' ? {} : { dialect: source.apiVersion }),
    database: { client: 'sqlite', filename: '.data/cms.db' },
    // Strapi ignores unknown names, so its clients may send them.
    rest: { strict: false, ...source.rest },
    ...getServer(source, guards.carried),
    contentTypes,
    ...(Object.keys(components).length > 0 && { components }),
    plugins: getPlugins(source, guards.carried, buildRecord(buildRecord(contentTypes[USER])['attributes'])),
    ...getCode(guards.carried),
    ...(Object.keys(roles).length > 0 && { auth: { roles } }),
  })
  return { config: config as Json, comments, notes }
}

function getServer({ server = {} }: StrapiSource, { requests }: Guards['carried']): Json {
  const whole = { ...server, ...(requests.length > 0 && { middlewares: requests }) }
  return Object.keys(whole).length > 0 ? { server: whole } : {}
}

function getCode({ settings, services, policies, middlewares, routes, extensions }: Guards['carried']): Json {
  return {
    ...(settings.size > 0 && { settings: Object.fromEntries(settings) }),
    ...(services.size > 0 && { services: Object.fromEntries(services) }),
    ...(policies.size > 0 && { policies: Object.fromEntries(policies) }),
    ...(middlewares.size > 0 && { middlewares: Object.fromEntries(middlewares) }),
    ...(routes.size > 0 && { routes: [...routes.values()] }),
    ...(extensions !== undefined && { extensions }),
  }
}

function listAdded(contentTypes: ReadonlyMap<string, Json>, uid: string): Json {
  const attributes = Object.entries(buildRecord(contentTypes.get(uid)?.['attributes']))
  return Object.fromEntries(attributes.filter(([name]) => OWN_ATTRIBUTES[uid]?.has(name) !== true))
}

/** `added`: the project's own attributes of users. */
function getPlugins(source: StrapiSource, { userExtension }: Guards['carried'], added: Json): Json {
  const { plugins, locales, defaultLocale, advanced, contentTypes, graphql = {} } = source
  const localized = [...contentTypes.values()].some(
    ({ pluginOptions }) => buildRecord(buildRecord(pluginOptions)['i18n'])['localized'] === true,
  )
  const codes = locales.map(({ code, name }) => (name === '' ? code : { code, name }))
  const standard = defaultLocale ?? locales[0]?.code ?? 'en'
  return {
    // Strapi has no limit of depth unless the project sets one, and none of lists in any case.
    ...(plugins.has('graphql') && { graphql: { config: { depthLimit: 0, ...graphql, amountLimit: -1 } } }),
    ...((localized || plugins.has('i18n')) && {
      i18n: {
        config: { defaultLocale: standard, locales: codes.length === 0 ? [standard] : codes },
      },
    }),
    'users-permissions': {
      config: {
        jwtSecret: new EnvironmentVariable('JWT_SECRET'),
        ...(advanced !== undefined && { advanced: getAdvanced(advanced) }),
        ...getRegister(source, added),
        ...(userExtension !== undefined && { extension: userExtension }),
      },
    },
    // Without the email plugin, users who register could not confirm an address.
    ...(advanced?.['email_confirmation'] === true && { email: true }),
    upload: true,
  }
}

/** In Strapi 4 every attribute that is not private may be sent with a registration, unless a setting names them. */
function getRegister({ apiVersion }: StrapiSource, added: Json): Json {
  const allowedFields = Object.entries(added)
    .filter(([, attribute]) => buildRecord(attribute)['private'] !== true)
    .map(([name]) => name)
  return apiVersion === 'strapi-4' && allowedFields.length > 0 ? { register: { allowedFields } } : {}
}

const ADVANCED = [
  'unique_email',
  'allow_register',
  'email_confirmation',
  'email_reset_password',
  'email_confirmation_redirection',
  'default_role',
] as const

function getAdvanced(advanced: Json): Json {
  return Object.fromEntries(
    ADVANCED.flatMap((name) => {
      const value = advanced[name]
      return value === undefined || value === '' ? [] : [[name, value]]
    }),
  )
}
