// Merges content-types; one of the file with a plugin's uid extends the plugin's.

import type { AttributeConfig, Config, ContentTypeConfig } from '../config/config.ts'
import { didYouMean } from '../lib/did-you-mean.ts'
import type { DiagnosticPath } from '../lib/errors/diagnostic.ts'
import { invariant } from '../lib/errors/invariant.ts'
import type { Fault } from './checking.ts'
import type { ModelContribution } from './contribution.ts'
import type { AttributeSource, ComponentSource, Sources, TypeSource } from './type-source.ts'
import { parseUid, type Uid } from './uid.ts'

/** Listings follow the order of the file, plugins last. */
export function mergeContributions(
  config: Config,
  contributions: readonly ModelContribution[],
  fault: Fault,
): Sources {
  const types = new Map<string, TypeSource>()
  const contributed = new Map<string, { plugin: string; config: Omit<ContentTypeConfig, 'sourceKey'> }>()
  for (const { plugin, contentTypes } of contributions) {
    for (const [uid, type] of Object.entries(contentTypes)) contributed.set(uid, { plugin, config: type })
  }

  for (const [key, type] of Object.entries(config.contentTypes)) {
    if (contributed.has(key)) continue
    const path = ['contentTypes', type.sourceKey]
    const uid = parseUid(key)
    if (uid === undefined || uid.startsWith('plugin::')) {
      reportUnknownPluginType(key, path, contributed.keys(), fault)
    } else {
      types.set(uid, fileType(uid, type, path, contributions, fault))
    }
  }
  for (const [key, { plugin, config: type }] of contributed) {
    const uid = parseUid(key)
    invariant(uid !== undefined, `plugin ${plugin} contributes "${key}", which is no uid`)
    const extension = Object.hasOwn(config.contentTypes, key) ? config.contentTypes[key] : undefined
    types.set(uid, pluginType(uid, plugin, type, extension, fault))
  }

  const components = new Map<string, ComponentSource>()
  for (const [uid, component] of Object.entries(config.components)) {
    const path = ['components', component.sourceKey]
    components.set(uid, {
      uid,
      config: component,
      path,
      attributes: fileAttributes(component.attributes, [...path, 'attributes'], fault),
    })
  }
  return { types, components }
}

function fileType(
  uid: Uid,
  config: ContentTypeConfig,
  path: DiagnosticPath,
  contributions: readonly ModelContribution[],
  fault: Fault,
): TypeSource {
  const attributes = fileAttributes(config.attributes, [...path, 'attributes'], fault)
  for (const contribution of contributions) {
    attributes.push(...attributeSources(contribution.attributes?.[uid] ?? {}, path, true))
  }
  return { uid, config, path, attributes, sourceKey: config.sourceKey, plugin: undefined }
}

function pluginType(
  uid: Uid,
  plugin: string,
  config: Omit<ContentTypeConfig, 'sourceKey'>,
  extension: ContentTypeConfig | undefined,
  fault: Fault,
): TypeSource {
  const pluginPath = ['plugins', plugin]
  const own = attributeSources(config.attributes, pluginPath, true)
  if (extension === undefined) {
    return { uid, config, path: pluginPath, attributes: own, sourceKey: undefined, plugin }
  }
  const path = ['contentTypes', extension.sourceKey]
  const added = fileAttributes(extension.attributes, [...path, 'attributes'], fault)
  const attributes = own.map((attribute) => {
    const again = added.find(({ name }) => name === attribute.name)
    return again === undefined ? attribute : overridden(attribute, again, plugin, fault)
  })
  attributes.push(...added.filter(({ name }) => !own.some((attribute) => attribute.name === name)))
  const privateAttributes = [
    ...(config.options.privateAttributes ?? []),
    ...(extension.options.privateAttributes ?? []),
  ]
  return {
    uid,
    config: {
      ...config,
      options: { ...config.options, privateAttributes },
      ...(extension.unique !== undefined && { unique: extension.unique }),
      ...(extension.index !== undefined && { index: extension.index }),
      ...(extension.checks !== undefined && { checks: extension.checks }),
    },
    path,
    attributes,
    sourceKey: extension.sourceKey,
    plugin,
  }
}

/** A pasted schema may restrict the plugin's attributes, but not change type, relation or target. */
function overridden(
  own: AttributeSource,
  again: AttributeSource,
  plugin: string,
  fault: Fault,
): AttributeSource {
  const sameShape = (['type', 'relation', 'target'] as const).every(
    (key) => again.config[key] === own.config[key],
  )
  if (!sameShape) {
    fault('MOD002', again.path, `plugin ${plugin} needs "${own.name}" to be ${describeShape(own.config)}`, {
      help: 'extend the content-type with attributes of other names',
    })
    return own
  }
  const isPrivate = own.config.private === true || again.config.private === true
  return {
    ...again,
    contributed: true,
    config: { ...own.config, ...again.config, ...(isPrivate ? { private: true } : {}) },
  }
}

function describeShape({ type, relation, target }: AttributeConfig): string {
  return relation === undefined
    ? `of type ${type}`
    : `a ${relation} relation to ${target ?? 'any content-type'}`
}

function reportUnknownPluginType(
  uid: string,
  path: DiagnosticPath,
  known: Iterable<string>,
  fault: Fault,
): void {
  const near = didYouMean(uid, known)
  const plugin = uid.slice('plugin::'.length, uid.indexOf('.'))
  fault('MOD001', path, `"${uid}" is not a content-type of an enabled plugin`, {
    at: 'key',
    help:
      near === undefined
        ? `the plugin "${plugin}" is switched off or has no such content-type; your own begin with "api::"`
        : `did you mean "${near}"?`,
  })
}

/** Drops relations to accounts of Strapi's admin panel, which do not exist here. */
function fileAttributes(
  attributes: Readonly<Record<string, AttributeConfig>>,
  path: DiagnosticPath,
  fault: Fault,
): AttributeSource[] {
  return attributeSources(attributes, path, false).filter(({ name, config, path: at }) => {
    if (config.target?.startsWith('admin::') !== true) return true
    fault('MOD020', [...at, 'target'], `"${name}" is left out: there is no ${config.target}`, {
      severity: 'warning',
      help: 'accounts of the admin panel are not taken over; a relation to plugin::users-permissions.user takes its place',
    })
    return false
  })
}

function attributeSources(
  attributes: Readonly<Record<string, AttributeConfig>>,
  path: DiagnosticPath,
  contributed: boolean,
): AttributeSource[] {
  return Object.entries(attributes).map(([name, config]) => ({
    name,
    config,
    path: contributed ? path : [...path, name],
    contributed,
  }))
}
