// Formats types as Strapi 4's content-type builder does, for source plugins of static site generators.

import type { AttributeConfig } from '../../config/config.ts'
import type { Attribute, Component, ContentType, Schema } from '../../model/attribute.ts'

type DescribedType = Readonly<Record<string, unknown>>

/** The only content-type of a plugin that Strapi shows. */
const USER = 'plugin::users-permissions.user'

export function describeContentType(type: ContentType): DescribedType {
  const [prefix = '', rest = ''] = type.uid.split('::')
  const visible = prefix !== 'plugin' || type.uid === USER
  return {
    uid: type.uid,
    ...(prefix === 'plugin' && { plugin: rest.split('.')[0] }),
    apiID: type.singularName,
    schema: {
      ...type.options,
      displayName: type.displayName,
      singularName: type.singularName,
      pluralName: type.pluralName,
      description: type.description ?? '',
      // `pluginOptions` of plugins are internal to this server.
      ...(prefix === 'plugin' ? {} : defined({ pluginOptions: type.pluginOptions })),
      kind: type.kind,
      collectionName: type.collectionName,
      attributes: describeAttributes(type),
      visible,
      restrictRelationsTo: visible ? null : [],
    },
  }
}

export function describeComponent(component: Component): DescribedType {
  const { icon, pluginOptions } = component
  return {
    uid: component.uid,
    category: component.category,
    apiId: component.name,
    schema: {
      ...defined({ icon }),
      displayName: component.displayName,
      description: component.description ?? '',
      collectionName: component.collectionName,
      ...defined({ pluginOptions }),
      attributes: describeAttributes(component),
    },
  }
}

function describeAttributes(schema: Schema): DescribedType {
  const described: Record<string, unknown> = {}
  for (const attribute of schema.attributes.values()) {
    const { declared } = attribute
    if (declared !== undefined && declared.visible !== false)
      described[attribute.name] = describeAttribute(attribute, declared)
  }
  return described
}

function describeAttribute(attribute: Attribute, declared: AttributeConfig): DescribedType {
  // Words for editors are the console's own.
  const { renamedFrom: _, description: _help, placeholder: _example, ...told } = declared
  const pluginOptions = buildOptions(declared)
  switch (attribute.kind) {
    case 'scalar': {
      const { default: standard, ...rest } = told
      // A private attribute's default is private, too.
      return attribute.private ? rest : { ...rest, ...defined({ default: standard }) }
    }
    case 'media':
      return {
        type: 'media',
        multiple: attribute.multiple,
        required: attribute.required,
        ...(told.configurable === false && { configurable: false }),
        private: attribute.private,
        ...defined({ allowedTypes: told.allowedTypes, pluginOptions }),
      }
    case 'component':
      return { ...told, component: attribute.component.uid }
    case 'dynamiczone':
      return { ...told, components: attribute.components.map(({ uid }) => uid) }
    case 'relation': {
      const { configurable, pluginOptions: __, ...rest } = told
      return {
        ...rest,
        ...defined({ target: attribute.target?.uid }),
        targetAttribute: told.inversedBy ?? told.mappedBy ?? null,
        ...(configurable === false && { configurable }),
        private: attribute.private,
        ...defined({ pluginOptions }),
      }
    }
  }
}

function buildOptions({ pluginOptions }: AttributeConfig): DescribedType | undefined {
  if (pluginOptions === undefined) return undefined
  const { rest: _, ...others } = pluginOptions
  return Object.keys(others).length === 0 && 'rest' in pluginOptions ? undefined : others
}

function defined(values: DescribedType): DescribedType {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
