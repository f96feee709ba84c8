// Converts one schema of Strapi to the form of cms.yaml.

import { buildRecord } from '../../lib/is-record.ts'
import { findStoredType, keepOptions } from './custom-fields.ts'
import type { ImportNotes } from './import-notes.ts'
import { formatText, type Json } from './strapi-source.ts'

interface TargetTypes {
  readonly types: ReadonlySet<string>
  readonly components: ReadonlySet<string>
  /** Relations without another side, as `formatLine` writes them. */
  readonly unpaired: ReadonlySet<string>
  readonly customFields: ReadonlyMap<string, string>
  readonly notes: ImportNotes
}

/** `api::article.article` is `article`. */
export function buildTypeKey(uid: string, schema: Json): string {
  const name = formatText(buildRecord(schema['info'])['singularName'])
  return uid === `api::${name}.${name}` ? name : uid
}

export function convertContentType(uid: string, schema: Json, known: TargetTypes): Json {
  const options = buildRecord(schema['options'])
  const i18n = buildRecord(schema['pluginOptions'])['i18n']
  return {
    ...(schema['kind'] === 'singleType' && { kind: 'singleType' }),
    ...(typeof schema['collectionName'] === 'string' && { collectionName: schema['collectionName'] }),
    info: picked(buildRecord(schema['info']), ['singularName', 'pluralName', 'displayName', 'description']),
    options: {
      draftAndPublish: options['draftAndPublish'] === true,
      ...picked(options, ['privateAttributes', 'populateCreatorFields']),
    },
    ...(i18n !== undefined && { pluginOptions: { i18n } }),
    attributes: takeAttributes(uid, schema, known),
  }
}

export function convertComponent(uid: string, schema: Json, known: TargetTypes): Json {
  return {
    ...(typeof schema['collectionName'] === 'string' && { collectionName: schema['collectionName'] }),
    info: picked(buildRecord(schema['info']), ['displayName', 'description']),
    attributes: takeAttributes(uid, withoutOtherSides(uid, schema, known.notes), known),
  }
}

/** A relation in a component has one side. */
function withoutOtherSides(uid: string, schema: Json, notes: ImportNotes): Json {
  const attributes = Object.entries(buildRecord(schema['attributes'])).map(([name, value]) => {
    const { inversedBy, mappedBy, ...attribute } = buildRecord(value)
    if (inversedBy ?? mappedBy)
      notes.add('different', `${uid}.${name} has one side now: it stands in a component`)
    return [name, attribute]
  })
  return { ...schema, attributes: Object.fromEntries(attributes) }
}

/** System attributes, which an archive lists among the others. */
const SYSTEM: ReadonlySet<string> = new Set([
  'id',
  'createdAt',
  'updatedAt',
  'publishedAt',
  'createdBy',
  'updatedBy',
  'locale',
  'localizations',
])

function takeAttributes(uid: string, schema: Json, known: TargetTypes): Json {
  const attributes: Record<string, Json> = {}
  for (const [name, value] of Object.entries(buildRecord(schema['attributes']))) {
    if (SYSTEM.has(name)) continue
    const attribute = takeAttribute(uid, name, buildRecord(value), known)
    if (attribute !== undefined) attributes[name] = attribute
  }
  return attributes
}

const KEYS: readonly string[] = [
  'required',
  'private',
  'configurable',
  'writable',
  'visible',
  'unique',
  'default',
  'min',
  'max',
  'minLength',
  'maxLength',
  'regex',
  'enum',
  'enumName',
  'targetField',
  'multiple',
  'allowedTypes',
  'repeatable',
  'relation',
  'inversedBy',
  'mappedBy',
]

/** Options that Strapi writes for these types although they have no effect. */
const NO_MEANING: Readonly<Record<string, readonly string[]>> = {
  relation: ['unique', 'default', 'required'],
  media: ['unique', 'default'],
  component: ['unique', 'default'],
  dynamiczone: ['unique', 'default'],
  json: ['unique'],
  boolean: ['unique'],
}

function takeAttribute(
  uid: string,
  name: string,
  attribute: Json,
  { types, components, unpaired, customFields, notes }: TargetTypes,
): Json | undefined {
  const type = formatText(attribute['type'])
  const kept = Object.fromEntries(
    Object.entries(picked(attribute, KEYS)).filter(
      ([key, value]) => value !== null && NO_MEANING[type]?.includes(key) !== true,
    ),
  )
  const i18n = buildRecord(attribute['pluginOptions'])['i18n']
  const common = { ...kept, ...(i18n !== undefined && { pluginOptions: { i18n } }) }
  const left = (why: string): undefined => {
    notes.add('missing', `${uid}.${name} is left out: ${why}`)
    return undefined
  }
  switch (type) {
    case 'relation': {
      const target = attribute['target']
      if (target === undefined) return { type, ...common, ...picked(attribute, ['morphBy']) }
      if (!types.has(formatText(target))) return left(`it points at ${formatText(target)}`)
      const oneWay = isOneOfTwo(uid, attribute, unpaired) ? { oneWay: true } : {}
      return { type, target, ...common, ...picked(attribute, ['morphBy']), ...oneWay }
    }
    case 'component': {
      const component = formatText(attribute['component'])
      return components.has(component)
        ? { type, component, ...common }
        : left(`there is no component ${component}`)
    }
    case 'dynamiczone': {
      const listed = attribute['components']
      const zone = Array.isArray(listed) ? listed.filter((uid) => components.has(formatText(uid))) : []
      return { type, components: zone, ...common }
    }
    case 'customField': {
      const field = formatText(attribute['customField'])
      const stored = findStoredType(field, customFields)
      notes.add(
        'different',
        `${uid}.${name} is a custom field (${field}): it is taken as ${stored.type}, ${stored.reason}`,
      )
      return { type: stored.type, ...keepOptions(stored.type, common) }
    }
    default:
      return { type, ...common }
  }
}

const OPPOSITE: Readonly<Record<string, string>> = {
  oneToMany: 'manyToOne',
  manyToOne: 'oneToMany',
  manyToMany: 'manyToMany',
}

/** Relations between content-types without another side, which Strapi treats as independent. */
export function findUnpairedRelations(contentTypes: ReadonlyMap<string, Json>): ReadonlySet<string> {
  return new Set(
    [...contentTypes].flatMap(([uid, schema]) =>
      Object.values(buildRecord(schema['attributes']))
        .map(buildRecord)
        .filter(isUnpaired)
        .map(({ relation, target }) => formatLine(uid, formatText(relation), formatText(target))),
    ),
  )
}

function isUnpaired({ type, inversedBy, mappedBy }: Json): boolean {
  return type === 'relation' && (inversedBy ?? mappedBy ?? undefined) === undefined
}

function formatLine(uid: string, relation: string, target: string): string {
  return `${uid} ${relation} ${target}`
}

/** Whether another relation looks like its other side, which the server reports as ambiguous (MOD036). */
function isOneOfTwo(uid: string, attribute: Json, unpaired: ReadonlySet<string>): boolean {
  const [relation, target] = [formatText(attribute['relation']), formatText(attribute['target'])]
  if (!isUnpaired(attribute) || (relation === 'manyToMany' && target === uid)) return false
  return unpaired.has(formatLine(target, OPPOSITE[relation] ?? '', uid))
}

function picked(from: Json, keys: readonly string[]): Json {
  return Object.fromEntries(keys.flatMap((key) => (from[key] === undefined ? [] : [[key, from[key]]])))
}
