// Expands content-types and components into their long form.

import type { AttributeConfig, ComponentConfig, ContentTypeConfig, GeneratedRouteConfig } from './config.ts'
import { getPlural, listTypeNames } from './names-of.ts'
import type { RawAttribute, RawComponent, RawContentType, RawMap } from './raw-config.ts'

/** `article` is short for `api::article.article`. */
export function getUid(key: string): string {
  return key.includes('::') ? key : `api::${key}.${key}`
}

/** `order.mine` is short for `api::order.order.mine`. */
export function getActionUid(permission: string): string {
  const dot = permission.indexOf('.')
  return permission.includes('::') ? permission : getUid(permission.slice(0, dot)) + permission.slice(dot)
}

export function normalizeContentType(key: string, raw: RawContentType): ContentTypeConfig {
  const { info = {}, options = {}, rest = {} } = raw
  const { singularName, pluralName } = listTypeNames(key.slice(key.lastIndexOf('.') + 1), raw)
  return {
    sourceKey: key,
    ...(raw.renamedFrom !== undefined && { renamedFrom: getUid(raw.renamedFrom) }),
    kind: raw.kind ?? 'collectionType',
    collectionName: raw.collectionName ?? snake(pluralName),
    info: {
      ...info,
      singularName,
      pluralName,
      displayName: info['displayName'] ?? info['name'] ?? words(singularName),
    },
    options: { ...options, draftAndPublish: options['draftAndPublish'] === true },
    ...(raw.pluginOptions !== undefined && { pluginOptions: raw.pluginOptions }),
    attributes: normalizeAttributes(raw.attributes),
    ...(raw.unique !== undefined && { unique: raw.unique }),
    ...(raw.index !== undefined && { index: raw.index }),
    ...(raw.checks !== undefined && { checks: raw.checks }),
    ...(raw.concurrency !== undefined && { concurrency: raw.concurrency }),
    ...(raw.lifecycles !== undefined && { lifecycles: raw.lifecycles }),
    rest: { ...rest, config: normalizeRoutes(rest.config ?? {}) },
  }
}

export function normalizeComponent(key: string, raw: RawComponent): ComponentConfig {
  const { info = {} } = raw
  const [category = '', name = ''] = key.split('.')
  return {
    sourceKey: key,
    ...(raw.renamedFrom !== undefined && { renamedFrom: raw.renamedFrom }),
    collectionName: raw.collectionName ?? `components_${snake(category)}_${snake(getPlural(name))}`,
    info: { ...info, displayName: info['displayName'] ?? info['name'] ?? words(name) },
    options: raw.options ?? {},
    ...(raw.pluginOptions !== undefined && { pluginOptions: raw.pluginOptions }),
    attributes: normalizeAttributes(raw.attributes),
  }
}

function normalizeAttributes(raw: RawMap<RawAttribute>): Record<string, AttributeConfig> {
  return Object.fromEntries(Object.entries(raw).map(([name, attribute]) => [name, longForm(attribute)]))
}

function longForm(raw: RawAttribute): AttributeConfig {
  if (typeof raw === 'string') return { type: raw }
  const attribute = { ...raw } as unknown as AttributeConfig
  return attribute.type === 'enumeration' ? withTexts(attribute) : attribute
}

/** A number in the file stands for its text, as in Strapi. */
function withTexts(attribute: AttributeConfig): AttributeConfig {
  const { enum: values, default: value } = attribute
  return {
    ...attribute,
    ...(values !== undefined && { enum: values.map(String) }),
    ...(typeof value === 'number' && { default: String(value) }),
  }
}

/** `auth: true` means the usual check, as without `auth`. */
function normalizeRoutes(
  raw: NonNullable<NonNullable<RawContentType['rest']>['config']>,
): Record<string, GeneratedRouteConfig> {
  return Object.fromEntries(
    Object.entries(raw).map(([action, { auth, ...route }]) => [
      action,
      auth === undefined || auth === true ? route : { auth, ...route },
    ]),
  )
}

function snake(name: string): string {
  return name.replaceAll('-', '_')
}

function words(name: string): string {
  const text = name.replaceAll('-', ' ')
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
