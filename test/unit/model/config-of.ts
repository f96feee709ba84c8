// A normalized configuration from the few parts that a test of the model cares about.

import type {
  AttributeConfig,
  ComponentConfig,
  Config,
  ContentTypeConfig,
  PluginConfig,
} from '../../../src/config/config.ts'
import { databaseConfig } from '../../contract/database/database-config.ts'

type TypeParts = Partial<Omit<ContentTypeConfig, 'attributes' | 'options' | 'info'>> & {
  attributes?: Readonly<Record<string, AttributeConfig>>
  options?: Partial<ContentTypeConfig['options']>
  info?: Partial<ContentTypeConfig['info']>
}

type ComponentParts = Partial<Omit<ComponentConfig, 'attributes'>> & {
  attributes?: Readonly<Record<string, AttributeConfig>>
}

export interface ConfigParts
  extends Partial<Omit<Config, 'contentTypes' | 'components' | 'plugins' | 'auth'>> {
  /** By short name (`article`) or full uid. */
  contentTypes?: Readonly<Record<string, TypeParts>>
  components?: Readonly<Record<string, ComponentParts>>
  plugins?: Readonly<Record<string, boolean | PluginConfig>>
  auth?: Partial<Config['auth']>
}

export function configOf(parts: ConfigParts): Config {
  const { contentTypes = {}, components = {}, plugins = {}, auth = {}, ...rest } = parts
  return {
    ...base,
    ...rest,
    contentTypes: Object.fromEntries(Object.entries(contentTypes).map(([key, type]) => typeOf(key, type))),
    components: Object.fromEntries(
      Object.entries(components).map(([key, component]) => [key, componentOf(key, component)]),
    ),
    plugins: Object.fromEntries(
      Object.entries(plugins).map(([name, plugin]) => [
        name,
        typeof plugin === 'boolean' ? { enabled: plugin, config: {} } : plugin,
      ]),
    ),
    auth: { ...base.auth, ...auth },
  }
}

function typeOf(key: string, type: TypeParts): [string, ContentTypeConfig] {
  const uid = key.includes('::') ? key : `api::${key}.${key}`
  const name = uid.slice(uid.lastIndexOf('.') + 1)
  const pluralName = type.kind === 'singleType' ? `${name}-all` : `${name}s`
  return [
    uid,
    {
      sourceKey: key,
      kind: 'collectionType',
      collectionName: `${name.replaceAll('-', '_')}s`,
      pluginOptions: {},
      attributes: {},
      rest: { config: {} },
      ...type,
      info: { singularName: name, pluralName, displayName: name, ...type.info },
      options: { draftAndPublish: false, ...type.options },
    },
  ]
}

function componentOf(key: string, component: ComponentParts): ComponentConfig {
  return {
    sourceKey: key,
    collectionName: `components_${key.replaceAll(/[.-]/g, '_')}s`,
    info: { displayName: key },
    options: {},
    attributes: {},
    ...component,
  }
}

const base: Config = {
  file: undefined,
  directory: '/',
  dialect: 'strapi-4',
  server: {
    host: '127.0.0.1',
    port: 1337,
    publicUrl: undefined,
    environment: 'development',
    trustProxy: false,
    middlewares: [],
    workers: 1,
    workerTimeout: 30_000,
    cors: { origin: '*', methods: [], headers: [], credentials: false, maxAge: 600 },
    limits: {
      body: 1,
      upload: 1,
      bodies: 1,
      requestTimeout: 1,
      bootstrap: 60_000,
      keepAlive: 1,
      drain: 1,
      connections: undefined,
      unsent: 64 * 1024 * 1024,
      streams: undefined,
      streamsPerAddress: undefined,
      requests: 1,
      rate: undefined,
      subscriptions: { connection: 100, caller: 1000, server: 10_000 },
      eventLoopDelay: 0,
    },
    trouble: undefined,
    metrics: undefined,
    log: { level: 'silent', format: undefined, requests: undefined },
  },
  rest: {
    prefix: '/api',
    defaultLimit: 25,
    maxLimit: 100,
    withCount: true,
    strict: true,
    strictRelations: false,
    publicDrafts: true,
    cache: 0,
    compression: true,
    limits: { cost: 80_000, writeRows: 10_000, scanWarning: null },
  },
  database: databaseConfig('memory'),
  contentTypes: {},
  components: {},
  plugins: {},
  ownPlugins: {},
  auth: { roles: {}, apiTokens: [], users: [], providers: {} },
  graphql: { shadowCRUD: {}, extensions: [], resolversConfig: {} },
  settings: {},
  services: {},
  policies: {},
  middlewares: {},
  routes: [],
  extensions: undefined,
  console: undefined,
  looks: {},
  data: {},
  fake: { counts: {}, seed: 0 },
}
