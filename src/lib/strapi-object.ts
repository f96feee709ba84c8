// The parts of Strapi's object `strapi`: those that code finds here, and what to use instead of others.

export const STRAPI_PARTS = [
  'entityService',
  'documents',
  'db',
  'query',
  'contentTypes',
  'contentType',
  'config',
  'getModel',
  'requestContext',
  'dirs',
  'contentAPI',
  'store',
  'log',
  'service',
  'plugin',
  'plugins',
] as const

/** Services of Strapi's plugins that code finds here: `strapi.plugin('email').service('email')`. */
export const PLUGIN_SERVICES: ReadonlySet<string> = new Set([
  'plugin::email.email',
  'plugin::graphql.extension',
  'plugin::graphql.format',
  'plugin::upload.upload',
  'plugin::users-permissions.jwt',
  'plugin::users-permissions.user',
])

const DECLARED = 'declare it in the configuration (docs/reference/customization.md)'

const INSTEAD: Readonly<Record<string, string>> = {
  'db.connection': 'read and write with strapi.db.query(uid); SQL of your own is not run',
  admin: 'there is no admin panel; roles and users are in the configuration and the content',
  components: 'schemas of components stand in the configuration',
  controller: DECLARED,
  controllers: DECLARED,
  cron: 'start a timer in bootstrap()',
  customFields: 'attributes have the types of docs/reference/attributes.md',
  entityValidator: 'every write is validated',
  eventHub: 'lifecycles and events tell of every write (docs/reference/events.md)',
  fs: 'import node:fs',
  middleware: DECLARED,
  middlewares: DECLARED,
  models: 'use strapi.contentTypes',
  policies: DECLARED,
  policy: DECLARED,
  routes: DECLARED,
  server: 'declare routes and middlewares in the configuration (docs/reference/customization.md)',
  services: 'use strapi.service(uid)',
  webhookRunner: 'declare webhooks in the configuration (docs/reference/events.md)',
}

/** Undefined if the table does not name the part. */
export function findInstead(part: string): string | undefined {
  return Object.hasOwn(INSTEAD, part) ? INSTEAD[part] : undefined
}
