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
import { makeRoles } from './make-roles.ts'
import type { Json, StrapiSource } from './strapi-source.ts'

interface MadeConfig {
  /** As an author would write it: texts of the project are escaped. */
  readonly config: Json
  readonly comments: readonly YamlComment[]
  readonly notes: readonly string[]
}

const USER = 'plugin::users-permissions.user'

const OWN_USER_ATTRIBUTES: ReadonlySet<string> = new Set([
  'username',
  'email',
  'provider',
  'password',
  'resetPasswordToken',
  'confirmationToken',
  'confirmed',
  'blocked',
  'role',
])

export function makeConfig(
  source: StrapiSource,
  guards: Guards,
  knows: (action: string) => boolean = () => true,
): MadeConfig {
  const notes = [...source.notes, ...guards.notes]
  const known = {
    types: new Set([...source.contentTypes.keys()].filter(isTaken)),
    components: new Set(source.components.keys()),
    unpaired: findUnpairedRelations(source.contentTypes),
    notes,
  }
  const contentTypes: Record<string, unknown> = {}
  for (const [uid, schema] of source.contentTypes) {
    if (uid.startsWith('api::'))
      contentTypes[buildTypeKey(uid, schema)] = convertContentType(uid, schema, known)
  }
  const user = source.contentTypes.get(USER)
  const added = Object.entries(buildRecord(user?.['attributes'])).filter(
    ([name]) => !OWN_USER_ATTRIBUTES.has(name),
  )
  const extended = convertContentType(USER, { attributes: Object.fromEntries(added) }, known)
  if (Object.keys(buildRecord(extended['attributes'])).length > 0) {
    contentTypes[USER] = { attributes: extended['attributes'] }
  }
  const components = Object.fromEntries(
    [...source.components].map(([uid, schema]) => [uid, convertComponent(uid, schema, known)]),
  )
  const { roles, comments } = makeRoles(source, { guards, knows }, notes)
  const config = toAuthorText({
    ...(source.apiVersion === 'strapi-4' ? {} : { dialect: source.apiVersion }),
    database: { client: 'sqlite', filename: '.data/cms.db' },
    // Strapi ignores unknown names, so its clients may send them.
    rest: { strict: false },
    contentTypes,
    ...(Object.keys(components).length > 0 && { components }),
    plugins: getPlugins(source),
    ...(Object.keys(roles).length > 0 && { auth: { roles } }),
  })
  return { config: config as Json, comments, notes }
}

function isTaken(uid: string): boolean {
  return (
    uid.startsWith('api::') ||
    uid === USER ||
    uid === 'plugin::users-permissions.role' ||
    uid === 'plugin::upload.file'
  )
}

function getPlugins(source: StrapiSource): Json {
  const { plugins, locales, defaultLocale, advanced, contentTypes, graphql = {} } = source
  const localized = [...contentTypes.values()].some(
    ({ pluginOptions }) => buildRecord(buildRecord(pluginOptions)['i18n'])['localized'] === true,
  )
  const codes = locales.map(({ code, name }) => (name === '' ? code : { code, name }))
  const standard = defaultLocale ?? locales[0]?.code ?? 'en'
  return {
    ...(plugins.has('graphql') && {
      graphql: Object.keys(graphql).length === 0 ? true : { config: graphql },
    }),
    ...((localized || plugins.has('i18n')) && {
      i18n: {
        config: { defaultLocale: standard, locales: codes.length === 0 ? [standard] : codes },
      },
    }),
    'users-permissions': {
      config: {
        jwtSecret: new EnvironmentVariable('JWT_SECRET'),
        ...(advanced !== undefined && { advanced: getAdvanced(advanced) }),
      },
    },
    // Without the email plugin, users who register could not confirm an address.
    ...(advanced?.['email_confirmation'] === true && { email: true }),
    upload: true,
  }
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
