// Creates content-types and components without attributes, so that relations can refer to them.

import type { ScalarType } from '../attribute-types/attribute-types.ts'
import type { Config, ContentTypeConfig } from '../config/config.ts'
import { generatedActions } from './actions.ts'
import type {
  Attribute,
  RelationAttribute,
  RevisionAttributes,
  SameDocument,
  ScalarAttribute,
} from './attribute.ts'
import type { ContentRules } from './content-rules.ts'
import type { AttributeSet, Component, ContentType, EntryCheck } from './content-type.ts'
import type { LocaleRules, ModelContribution } from './contribution.ts'
import type { ComponentSource, Sources, TypeSource } from './type-source.ts'

/** By uid; `attributes` is filled later. */
export interface SchemaDrafts {
  readonly apiVersion: ContentRules
  readonly types: ReadonlyMap<string, SchemaDraft<ContentType, TypeSource> & { readonly rules: Rules }>
  readonly components: ReadonlyMap<string, SchemaDraft<Component, ComponentSource>>
  /** Undefined when no plugin stores files. */
  readonly files: SchemaDraft<ContentType, TypeSource> | undefined
  readonly users: SchemaDraft<ContentType, TypeSource> | undefined
  /** Undefined when no plugin localizes content. */
  readonly locales: LocaleRules | undefined
}

export interface SchemaDraft<T, S> {
  readonly built: T
  readonly source: S
  readonly attributes: Map<string, Attribute>
}

/** Filled when the attributes exist. */
export interface Rules {
  readonly unique: AttributeSet[]
  readonly indexed: AttributeSet[]
  readonly checks: EntryCheck[]
}

export function createSchemaDrafts(
  apiVersion: ContentRules,
  sources: Sources,
  contributions: readonly ModelContribution[],
  { services }: Pick<Config, 'services'>,
): SchemaDrafts {
  const first = <K extends keyof ModelContribution>(key: K): ModelContribution[K] | undefined =>
    contributions.find((one) => one[key] !== undefined)?.[key]
  const locales = first('locales')
  const types = new Map<string, SchemaDraft<ContentType, TypeSource> & { readonly rules: Rules }>()
  for (const source of sources.types.values()) {
    const isFile = source.uid === first('fileType')
    const hasService = services[source.uid] !== undefined
    types.set(source.uid, createType(source, locales, apiVersion, { isFile, hasService }))
  }
  const components = new Map<string, SchemaDraft<Component, ComponentSource>>()
  for (const source of sources.components.values()) components.set(source.uid, createComponent(source))
  const [files, users] = [types.get(first('fileType') ?? ''), types.get(first('userType') ?? '')]
  return { apiVersion, types, components, files, users, locales }
}

function listGuardedActions(
  { rest }: Pick<ContentTypeConfig, 'rest'>,
  hasService: boolean,
): ReadonlySet<string> {
  const guarded = Object.entries(rest.config).filter(
    ([, { policies = [], middlewares = [], handler, closed }]) =>
      policies.length + middlewares.length > 0 || handler !== undefined || closed !== undefined,
  )
  // A service of the type may answer the creation itself.
  return new Set([...guarded.map(([action]) => action), ...(hasService ? ['create'] : [])])
}

function createType(
  source: TypeSource,
  locales: LocaleRules | undefined,
  { documents }: ContentRules,
  { isFile, hasService }: { readonly isFile: boolean; readonly hasService: boolean },
) {
  const { config } = source
  const attributes = new Map<string, Attribute>()
  const rules: Rules = { unique: [], indexed: [], checks: [] }
  const createdAt = createSystemAttribute('createdAt', 'datetime', 'created_at')
  const updatedAt = createSystemAttribute('updatedAt', 'datetime', 'updated_at')
  const { draftAndPublish } = config.options
  const documentId = documents ? createSystemAttribute('documentId', 'string', 'document_id') : undefined
  const published = createSystemAttribute('publishedAt', 'datetime', 'published_at')
  const publishedAt = draftAndPublish ? published : undefined
  const stamp = documents && !draftAndPublish ? published : undefined
  const localized = locales?.isLocalized(config.pluginOptions) === true
  const locale = localized
    ? createSystemAttribute('locale', 'string', 'locale', { default: locales.standard, enum: locales.codes })
    : undefined
  const systemAttributes = [documentId, createdAt, updatedAt, publishedAt ?? stamp, locale].filter(
    (one) => one !== undefined,
  )
  const built: ContentType = {
    kind: config.kind,
    uid: source.uid,
    renamedFrom: source.plugin === undefined ? config.renamedFrom : undefined,
    singularName: config.info.singularName,
    pluralName: config.info.pluralName,
    displayName: config.info.displayName,
    description: config.info.description,
    collectionName: config.collectionName,
    sourceKey: source.sourceKey,
    draftAndPublish,
    document: undefined,
    localized,
    attributes,
    id: idAttribute(),
    systemAttributes: new Map(systemAttributes.map((attribute) => [attribute.name, attribute])),
    createdAt,
    updatedAt,
    publishedAt,
    locale,
    revision,
    concurrency: config.concurrency,
    uniqueSets: rules.unique,
    indexedSets: rules.indexed,
    checks: rules.checks,
    options: config.options,
    pluginOptions: config.pluginOptions,
    rest: Object.freeze({
      actions: source.plugin === undefined ? servedActions(config) : new Set<string>(),
      guardedActions: listGuardedActions(config, hasService),
      cacheControl: config.rest.cacheControl,
    }),
  }
  if (documentId === undefined) return { built, source, attributes, rules }
  const rowsBy = (which: SameDocument): RelationAttribute =>
    Object.freeze({ ...createLocalizationsAttribute(built), name: `#${which}`, sameDocument: which })
  const rows = { version: rowsBy('version'), modified: rowsBy('modified'), published: rowsBy('published') }
  const document = { documentId, versions: draftAndPublish, rows, stamp, stampKept: isFile }
  return { built: Object.assign(built, { document }), source, attributes, rules }
}

function createComponent(source: ComponentSource): SchemaDraft<Component, ComponentSource> {
  const attributes = new Map<string, Attribute>()
  const dot = source.uid.indexOf('.')
  const built: Component = {
    uid: source.uid,
    renamedFrom: source.config.renamedFrom,
    category: source.uid.slice(0, dot),
    name: source.uid.slice(dot + 1),
    displayName: source.config.info.displayName,
    description: source.config.info.description,
    icon: source.config.info.icon,
    pluginOptions: source.config.pluginOptions,
    collectionName: source.config.collectionName,
    attributes,
    id: idAttribute(),
  }
  return { built, source, attributes }
}

function servedActions({ kind, rest }: TypeSource['config']): ReadonlySet<string> {
  const { only, except } = rest
  return new Set(
    generatedActions[kind].filter(
      (action) => (only === undefined || only.includes(action)) && !except?.includes(action),
    ),
  )
}

function idAttribute(): ScalarAttribute {
  return createSystemAttribute('id', 'integer', 'id')
}

/** No attribute of the file has a column that begins with an underscore. */
const revision: RevisionAttributes = Object.freeze({
  number: createSystemAttribute('#version', 'integer', '_version'),
  changes: createSystemAttribute('#changes', 'text', '_changes'),
})

export function createSystemAttribute(
  name: string,
  type: ScalarType,
  column: string,
  more: Partial<Pick<ScalarAttribute, 'default' | 'enum'>> = {},
): ScalarAttribute {
  return Object.freeze({
    kind: 'scalar',
    type,
    name,
    column,
    system: true,
    private: false,
    required: false,
    writable: true,
    readOnly: false,
    writeOnce: false,
    localized: false,
    unique: false,
    searchable: true,
    textIndex: false,
    indexedPaths: [],
    default: undefined,
    min: undefined,
    max: undefined,
    minLength: undefined,
    maxLength: undefined,
    regex: undefined,
    enum: undefined,
    targetField: undefined,
    ...more,
  } satisfies ScalarAttribute)
}

/** An undeclared relation, which the server maintains. */
export function createLocalizationsAttribute(type: ContentType): RelationAttribute {
  return {
    kind: 'relation',
    type: 'relation',
    relation: 'manyToMany',
    name: LOCALIZATIONS,
    private: false,
    required: false,
    writable: true,
    readOnly: false,
    writeOnce: false,
    localized: true,
    cardinality: 'many',
    target: type,
    targets: [type],
    inverse: undefined,
    owner: true,
    populatable: true,
    exclusive: false,
    ...(type.document !== undefined && { sameDocument: 'locales' }),
  }
}

/** The read-only relation from a file to the entries whose media attributes refer to it. */
export function createRelatedAttribute(schemas: SchemaDrafts): RelationAttribute {
  const shownBy = [...schemas.types.values()].flatMap(({ built, attributes }) =>
    [...attributes.values()].flatMap((attribute) =>
      attribute.kind === 'media' && !attribute.private ? [{ type: built, attribute }] : [],
    ),
  )
  return {
    kind: 'relation',
    type: 'relation',
    relation: 'morphToMany',
    name: RELATED,
    private: false,
    required: false,
    writable: false,
    readOnly: false,
    writeOnce: false,
    localized: false,
    cardinality: 'many',
    target: undefined,
    targets: Object.freeze([...new Set(shownBy.map(({ type }) => type))]),
    inverse: undefined,
    owner: false,
    populatable: true,
    exclusive: false,
    shownBy: Object.freeze(shownBy),
  }
}

const RELATED = 'related'
const LOCALIZATIONS = 'localizations'
