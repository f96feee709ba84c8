// src/config/core.schema.json, the attribute types and the settings.schema.json of every plugin -> the schema of cms.yaml: of
// plugins their settings, what they read of `pluginOptions`, and sections of their own.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { databaseClients } from '../../src/config/database-clients.ts'
import type { Words } from '../../src/config/shorthand/shorthand.ts'
import { withAliases } from './alias-schema.ts'
import { withAttributeTypes } from './attribute-definitions.ts'
import type { Schema } from './generate-config-reference.ts'
import type { ShorthandSchema } from './with-shorthands.ts'

type Schemas = Readonly<Record<string, Schema>>

interface WholeSchema extends Schema {
  readonly properties: Schemas
  readonly definitions: Schemas
}

interface PluginSchema {
  /** Where readers see the plugin among the others: in editors, in reports of unknown keys, in the reference. */
  readonly order: number
  readonly description: string
  /** Of `plugins.<name>.config`. */
  readonly config?: Schema
  /** Of `pluginOptions.<name>`, for content-types and attributes. */
  readonly pluginOptions?: Schema
  /** A section of the file beside `plugins`; its definition has the same name. */
  readonly section?: { readonly name: string; readonly after: string }
  readonly definitions?: Schemas
  /** Keys of every content-type and of every attribute. */
  readonly contentTypeKeys?: Schemas
  readonly attributeKeys?: Schemas
  /** Forms that editors complete and that are rewritten before the check. */
  readonly shorthands?: ShorthandSchema
}

interface NamedSchema extends PluginSchema {
  readonly name: string
}

/** `src` is the folder of the sources. */
export function assembleSchema(src: string): WholeSchema {
  const core = JSON.parse(readFileSync(join(src, 'config/core.schema.json'), 'utf8'))
  return pluginSchemas(join(src, 'plugins')).reduce<WholeSchema>(
    withPlugin,
    withClients(withAttributeTypes(core)),
  )
}

/** The databases that there are. */
function withClients(schema: WholeSchema): WholeSchema {
  const { database = {} } = schema.definitions
  const described = Object.entries(databaseClients).map(
    ([name, { description }]) => `\`${name}\` ${description}`,
  )
  const client = {
    ...database.properties?.['client'],
    description: `${described.join(', ')}.`,
    enum: Object.keys(databaseClients),
  }
  return {
    ...schema,
    definitions: { ...schema.definitions, database: withProperty(database, 'client', client) },
  }
}

/** The shorthands of the core, then those of plugins (`shorthands` in their settings.schema.json). */
export function shorthandSchemas(src: string, full: Schema, words: Words): readonly ShorthandSchema[] {
  const core = JSON.parse(readFileSync(join(src, 'config/shorthand/shorthand.schema.json'), 'utf8'))
  return [
    withAliases(core, full, words),
    { keys: { plugins: looseSettings(full.definitions?.['plugins']?.properties ?? {}) } },
    ...pluginSchemas(join(src, 'plugins')).map(({ shorthands = {} }) => shorthands),
  ]
}

/** The settings of a plugin may stand right under its name. */
function looseSettings(plugins: Schemas): Schemas {
  const entries = Object.entries(plugins).map(([name, plugin]): [string, Schema] => {
    const { config } = plugin.properties ?? {}
    return [name, { ...plugin, properties: { ...plugin.properties, ...config?.properties } }]
  })
  return Object.fromEntries(entries)
}

function pluginSchemas(folder: string): readonly NamedSchema[] {
  return readdirSync(folder)
    .map((name) => ({ name, file: join(folder, name, 'settings.schema.json') }))
    .filter(({ file }) => existsSync(file))
    .map(({ name, file }) => ({ ...JSON.parse(readFileSync(file, 'utf8')), name }))
    .sort((a, b) => a.order - b.order)
}

function withPlugin(schema: WholeSchema, plugin: NamedSchema): WholeSchema {
  const { name, pluginOptions, section, definitions = {} } = plugin
  const { plugins = {}, pluginOptions: options = {} } = schema.definitions
  const { pluginFile = {} } = schema.definitions
  const known = {
    ...withKeys(schema.definitions, plugin),
    plugins: withProperty(plugins, name, settingsOf(plugin)),
    pluginFile: { ...pluginFile, names: [...(pluginFile.names ?? []), name] },
    pluginOptions: pluginOptions === undefined ? options : withProperty(options, name, pluginOptions),
  }
  if (section === undefined) return { ...schema, definitions: { ...known, ...definitions } }
  const reference = { [section.name]: { $ref: `#/definitions/${section.name}` } }
  return {
    ...schema,
    properties: inserted(schema.properties, section.after, reference),
    definitions: inserted(known, section.after, definitions),
  }
}

/** Attributes of every type are definitions whose name ends with `Attribute`. */
function withKeys(definitions: Schemas, { contentTypeKeys = {}, attributeKeys = {} }: PluginSchema): Schemas {
  const entries = Object.entries(definitions).map(([name, schema]): [string, Schema] => {
    const isAttribute = /Attribute$/.test(name) && schema.properties?.['type'] !== undefined
    const added = name === 'contentType' ? contentTypeKeys : isAttribute ? attributeKeys : {}
    return [name, { ...schema, ...(schema.properties && { properties: { ...schema.properties, ...added } }) }]
  })
  return Object.fromEntries(entries)
}

function settingsOf({ description, config }: PluginSchema): Schema {
  const enabled = { description: 'Whether the plugin runs.', type: 'boolean', default: true }
  return {
    description,
    type: ['boolean', 'object'],
    properties: { enabled, ...(config && { config }) },
    additionalProperties: false,
  }
}

function withProperty(schema: Schema, name: string, property: Schema): Schema {
  return { ...schema, properties: { ...schema.properties, [name]: property } }
}

/** Readers see the keys in this order. */
function inserted(map: Schemas, after: string, added: Schemas): Schemas {
  const entries = Object.entries(map)
  const place = entries.findIndex(([key]) => key === after) + 1
  return Object.fromEntries([...entries.slice(0, place), ...Object.entries(added), ...entries.slice(place)])
}
