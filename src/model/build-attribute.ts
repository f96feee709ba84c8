// Builds an attribute of the model; reports one with a missing target and leaves it out.

import { attributeTypes, isScalarType, type ScalarType } from '../attribute-types/attribute-types.ts'
import type { AttributeConfig } from '../config/config.ts'
import { invariant } from '../lib/errors/invariant.ts'
import { isRecord } from '../lib/is-record.ts'
import {
  type Attribute,
  type ComponentAttribute,
  type DynamicZoneAttribute,
  type MediaAttribute,
  type RelationAttribute,
  type RelationKind,
  relationKinds,
  type ScalarAttribute,
} from './attribute.ts'
import type { Fault } from './checking.ts'
import type { Component, ContentType } from './content-type.ts'
import { findComponent, findContentType } from './find-target.ts'
import type { JsonPath } from './json-path.ts'
import { toSnakeCase } from './naming.ts'
import type { SchemaDrafts } from './schema-drafts.ts'
import type { AttributeSource } from './type-source.ts'

export interface AttributePlace {
  readonly schemas: SchemaDrafts
  readonly privateAttributes: readonly string[]
  /** Listed alone by the type's `unique`, equal to `unique: true`. */
  readonly uniqueAttributes: ReadonlySet<string>
  /** Listed by the type's `index` under `text`, equal to `index: text`. */
  readonly textIndexed: ReadonlySet<string>
  /** Listed by the type's `index` as `extra.size`, by the name before the first dot. */
  readonly indexedPaths: ReadonlyMap<string, readonly JsonPath[]>
  readonly localized: boolean
  readonly fault: Fault
}

/** Leaves out `inverse`, which is set once all attributes exist. */
export function buildAttribute(source: AttributeSource, place: AttributePlace): Attribute | undefined {
  const { config } = source
  if (config.type === 'relation') return buildRelation(source, place)
  if (config.type === 'media') return buildMedia(source, place)
  if (config.type === 'component') return buildComponent(source, place)
  if (config.type === 'dynamiczone') return buildZone(source, place)
  invariant(isScalarType(config.type), `the schema lets "${config.type}" through`)
  return buildScalar(source, place, config.type)
}

export function buildScalar(
  source: AttributeSource,
  place: AttributePlace,
  type: ScalarType,
): ScalarAttribute {
  const { config, name } = source
  const base = getBase(source, place)
  const { secret, slug, unique } = attributeTypes[type]
  return {
    ...base,
    kind: 'scalar',
    type,
    // Passwords are never returned, whatever the file says.
    private: base.private || secret,
    localized: base.localized || (place.localized && slug),
    column: toSnakeCase(name),
    system: false,
    unique: config.unique === true || unique === 'always' || place.uniqueAttributes.has(name),
    searchable: config.searchable !== false,
    textIndex: config.index === 'text' || place.textIndexed.has(name),
    indexedPaths: type === 'json' ? (place.indexedPaths.get(name) ?? []) : [],
    default: config.default,
    min: config.min,
    max: config.max,
    minLength: config.minLength,
    maxLength: config.maxLength,
    regex: config.regex,
    enum: config.enum,
    targetField: config.targetField,
  }
}

function buildRelation(source: AttributeSource, place: AttributePlace): RelationAttribute | undefined {
  const { config } = source
  const relation = relationKinds.find((kind) => kind === config.relation)
  invariant(relation !== undefined, `the schema lets "${config.relation}" through`)
  const polymorphic = relation === 'morphToOne' || relation === 'morphToMany'
  const target = polymorphic ? undefined : findTarget(source, place)
  if (!polymorphic && target === undefined) return undefined
  const everyType = (): ContentType[] => [...place.schemas.types.values()].map(({ built }) => built)
  return {
    ...getBase(source, place),
    kind: 'relation',
    type: 'relation',
    // By default a French article has French categories. Polymorphic relations may point at localized entries, too.
    localized: place.localized && (saysLocalized(config, place) ?? target?.localized !== false),
    relation,
    cardinality: getCardinality[relation],
    target,
    targets: Object.freeze(target === undefined ? everyType() : [target]),
    inverse: undefined,
    owner: config.mappedBy === undefined && config.morphBy === undefined,
    populatable: isPopulatable(config),
    exclusive: hasInverse(config) && (relation === 'oneToOne' || relation === 'oneToMany'),
  }
}

const getCardinality = {
  oneToOne: 'one',
  oneToMany: 'many',
  manyToOne: 'one',
  manyToMany: 'many',
  morphOne: 'one',
  morphMany: 'many',
  morphToOne: 'one',
  morphToMany: 'many',
} as const satisfies Record<RelationKind, 'one' | 'many'>

/** Plugins set `pluginOptions: { rest: { populate: false } }` on their relations. */
function isPopulatable({ pluginOptions }: AttributeConfig): boolean {
  const rest = pluginOptions?.['rest']
  return !(isRecord(rest) && rest['populate'] === false)
}

function hasInverse(config: AttributeConfig): boolean {
  return config.inversedBy !== undefined || config.mappedBy !== undefined
}

function findTarget({ config, path }: AttributeSource, place: AttributePlace): ContentType | undefined {
  invariant(config.target !== undefined, 'a relation without a target was reported before')
  return findContentType(config.target, [...path, 'target'], place.schemas, place.fault)
}

function buildMedia(source: AttributeSource, place: AttributePlace): MediaAttribute | undefined {
  const file = place.schemas.files
  if (file === undefined) {
    place.fault(
      'MOD023',
      [...source.path, 'type'],
      `"${source.name}" holds media, and the upload plugin is switched off`,
      {
        help: 'enable it with "plugins: { upload: true }"',
      },
    )
    return undefined
  }
  return {
    ...getBase(source, place),
    kind: 'media',
    type: 'media',
    multiple: source.config.multiple === true,
    allowedTypes: Object.freeze([...(source.config.allowedTypes ?? ['images', 'files', 'videos', 'audios'])]),
    target: file.built,
  }
}

function buildComponent(source: AttributeSource, place: AttributePlace): ComponentAttribute | undefined {
  const path = [...source.path, 'component']
  const component = findComponent(source.config.component ?? '', path, place.schemas, place.fault)
  if (component === undefined) return undefined
  return {
    ...getBase(source, place),
    kind: 'component',
    type: 'component',
    component,
    repeatable: source.config.repeatable === true,
    min: getCount(source.config.min),
    max: getCount(source.config.max),
  }
}

function buildZone(source: AttributeSource, place: AttributePlace): DynamicZoneAttribute {
  const components = (source.config.components ?? [])
    .map((uid, index) =>
      findComponent(uid, [...source.path, 'components', index], place.schemas, place.fault),
    )
    .filter((component): component is Component => component !== undefined)
  return {
    ...getBase(source, place),
    kind: 'dynamiczone',
    type: 'dynamiczone',
    components: Object.freeze(components),
    min: getCount(source.config.min),
    max: getCount(source.config.max),
  }
}

function getBase({ name, config }: AttributeSource, place: AttributePlace) {
  return {
    name,
    private: config.private === true || place.privateAttributes.includes(name),
    required: config.required === true,
    writable: config.writable !== false && config.readOnly !== true,
    readOnly: config.readOnly === true,
    writeOnce: config.writeOnce === true,
    localized: place.localized && saysLocalized(config, place) === true,
    renamedFrom: config.renamedFrom,
    declared: config,
  }
}

function saysLocalized({ pluginOptions }: AttributeConfig, { schemas }: AttributePlace): boolean | undefined {
  return schemas.locales?.isLocalized(pluginOptions)
}

function getCount(bound: number | string | undefined): number | undefined {
  return typeof bound === 'number' ? bound : undefined
}
