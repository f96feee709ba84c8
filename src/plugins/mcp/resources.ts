// What agents may read besides entries: the model as the caller sees it, the caller's permissions, and the documentation.

import type { Resource } from '@modelcontextprotocol/server'
import type { Permissions, Principal } from '../../access/principal.ts'
import { ApiError } from '../../lib/errors/api-error.ts'
import { groupBy } from '../../lib/group-by.ts'
import { listDocuments, readDocument } from '../../lib/package-documents.ts'
import type { Attribute, Component } from '../../model/attribute.ts'
import type { CallableOperation } from '../../operations/operation-calls.ts'

interface ResourceContext {
  readonly by: Principal
  /** Those that the caller may use. */
  readonly operations: readonly CallableOperation[]
}

interface Content {
  readonly uri: string
  readonly mimeType: string
  readonly text: string
}

const MODEL = 'cms-run://model'
const PERMISSIONS = 'cms-run://permissions'
const PACKAGE = 'cms-run://'
const JSON_TYPE = 'application/json'
const MARKDOWN = 'text/markdown'

export function listResources(): readonly Resource[] {
  return [
    {
      uri: MODEL,
      name: 'model',
      description: 'The content-types and components that the caller may use',
      mimeType: JSON_TYPE,
    },
    {
      uri: PERMISSIONS,
      name: 'permissions',
      description: 'Who the caller is, and the operations that it may use',
      mimeType: JSON_TYPE,
    },
    ...listDocuments().map((path) => ({
      uri: `${PACKAGE}${path}`,
      name: path,
      description: 'Documentation of cms-run',
      mimeType: path.endsWith('.json') ? JSON_TYPE : MARKDOWN,
    })),
  ]
}

/** Throws NotFoundError for an address that is not listed. */
export function readResource(uri: string, { by, operations }: ResourceContext): Content {
  if (uri === MODEL) return { uri, mimeType: JSON_TYPE, text: JSON.stringify(describeModel(by, operations)) }
  if (uri === PERMISSIONS) {
    const { kind, name } = by
    const names = operations.map((operation) => operation.name)
    return { uri, mimeType: JSON_TYPE, text: JSON.stringify({ caller: { kind, name }, operations: names }) }
  }
  const path = listDocuments().find((one) => `${PACKAGE}${one}` === uri)
  if (path === undefined) throw new ApiError('NotFoundError', `there is no resource ${uri.slice(0, 200)}`)
  return { uri, mimeType: path.endsWith('.json') ? JSON_TYPE : MARKDOWN, text: readDocument(path) }
}

/** Only what the caller may use, and the components of that. */
function describeModel({ permissions }: Principal, operations: readonly CallableOperation[]): unknown {
  const components = new Set<Component>()
  const types = [...groupBy(operations, ({ type }) => type)].map(([type, own]) => {
    const readable = permissions.readable(type, 'find')
    const attributes = [...type.attributes.values()].filter(({ name }) => readable?.has(name) !== false)
    return {
      ...{ uid: type.uid, kind: type.kind, displayName: type.displayName },
      ...(type.description && { description: type.description }),
      ...{ drafts: type.draftAndPublish, localized: type.localized },
      operations: own.map(({ shape }) => shape.action),
      attributes: describeAttributes(attributes, permissions, components),
    }
  })
  const described: unknown[] = []
  for (const { uid, displayName, attributes } of components)
    described.push({
      ...{ uid, displayName },
      attributes: describeAttributes(attributes.values(), permissions, components),
    })
  return { contentTypes: types, components: described }
}

/** Adds the components of the attributes to `components`. */
function describeAttributes(
  attributes: Iterable<Attribute>,
  { visible }: Permissions,
  components: Set<Component>,
): unknown {
  const shown = [...attributes].filter(
    (attribute) =>
      !attribute.private &&
      !(attribute.kind === 'relation' && attribute.target !== undefined && !visible(attribute.target)),
  )
  for (const attribute of shown) {
    if (attribute.kind === 'component') components.add(attribute.component)
    if (attribute.kind === 'dynamiczone') for (const one of attribute.components) components.add(one)
  }
  return Object.fromEntries(shown.map((attribute) => [attribute.name, describeAttribute(attribute)]))
}

function describeAttribute(attribute: Attribute): unknown {
  const { kind, required } = attribute
  const common = { ...(required && { required }) }
  switch (kind) {
    case 'scalar':
      return { type: attribute.type, ...common, ...(attribute.unique && { unique: true }) }
    case 'relation':
      return {
        type: 'relation',
        ...common,
        target: attribute.target?.uid,
        many: attribute.cardinality === 'many',
      }
    case 'media':
      return { type: 'media', ...common, many: attribute.multiple }
    case 'component':
      return { type: 'component', ...common, component: attribute.component.uid, many: attribute.repeatable }
    case 'dynamiczone':
      return { type: 'dynamiczone', ...common, components: attribute.components.map(({ uid }) => uid) }
  }
}
