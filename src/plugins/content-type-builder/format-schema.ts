// Content-types and components as Strapi 4's content-type builder describes them to clients (BEHAVIOUR 1.12): what a
// source plugin of a static site generator asks for before anything else.

import type {
  Attribute,
  AttributeHolder,
  Component,
  ContentType,
  ScalarAttribute,
} from '../../model/attribute.ts'

type Described = Readonly<Record<string, unknown>>

export function describeContentType(type: ContentType): Described {
  const [prefix = '', rest = ''] = type.uid.split('::')
  return {
    uid: type.uid,
    ...(prefix === 'plugin' && { plugin: rest.split('.')[0] }),
    apiID: type.singularName,
    schema: {
      draftAndPublish: type.draftAndPublish,
      displayName: type.displayName,
      singularName: type.singularName,
      pluralName: type.pluralName,
      description: type.description ?? '',
      pluginOptions: type.pluginOptions,
      kind: type.kind,
      collectionName: type.collectionName,
      attributes: describeAttributes(type),
      visible: true,
      restrictRelationsTo: null,
    },
  }
}

export function describeComponent(component: Component): Described {
  return {
    uid: component.uid,
    category: component.category,
    apiId: component.name,
    schema: {
      displayName: component.displayName,
      description: '',
      collectionName: component.collectionName,
      pluginOptions: {},
      attributes: describeAttributes(component),
    },
  }
}

/** The declared ones; what the runtime keeps by itself is not described, as in Strapi. */
function describeAttributes(holder: AttributeHolder): Described {
  const declared = [...holder.attributes.values()].filter((attribute) => !isKept(attribute))
  return Object.fromEntries(declared.map((attribute) => [attribute.name, describeAttribute(attribute)]))
}

function isKept(attribute: Attribute): boolean {
  return attribute.kind === 'scalar' && attribute.system
}

function describeAttribute(attribute: Attribute): Described {
  const common = {
    type: attribute.type,
    ...(attribute.required && { required: true }),
    ...(attribute.private && { private: true }),
    ...(attribute.localized && { pluginOptions: { i18n: { localized: true } } }),
  }
  switch (attribute.kind) {
    case 'scalar':
      return { ...common, ...constraintsOf(attribute) }
    case 'media':
      return { ...common, multiple: attribute.multiple, allowedTypes: attribute.allowedTypes }
    case 'component':
      return {
        ...common,
        component: attribute.component.uid,
        repeatable: attribute.repeatable,
        ...defined({ min: attribute.min, max: attribute.max }),
      }
    case 'dynamiczone':
      return {
        ...common,
        components: attribute.components.map(({ uid }) => uid),
        ...defined({ min: attribute.min, max: attribute.max }),
      }
    case 'relation':
      return {
        ...common,
        relation: attribute.relation,
        ...defined({ target: attribute.target?.uid }),
        targetAttribute: attribute.inverse?.name ?? null,
      }
  }
}

/** A private attribute's default is a value like its others: not told. */
function constraintsOf(attribute: ScalarAttribute): Described {
  const { unique, min, max, minLength, maxLength, regex, targetField } = attribute
  return {
    ...(unique && { unique }),
    ...(attribute.private ? {} : defined({ default: attribute.default ?? undefined })),
    ...defined({ min, max, minLength, maxLength, regex, targetField, enum: attribute.enum }),
  }
}

function defined(values: Described): Described {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
