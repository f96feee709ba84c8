// Input types of content-types and components: `<Name>Input` and `<Name>FiltersInput`.

import {
  GraphQLID,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLScalarType,
  GraphQLString,
  Kind,
  valueFromASTUntyped,
} from 'graphql'
import { isRecord } from '../../../lib/is-record.ts'
import type {
  Attribute,
  DynamicZoneAttribute,
  RelationAttribute,
  ScalarAttribute,
} from '../../../model/attribute.ts'
import type { Schema } from '../../../model/content-type.ts'
import { nameOfComponent } from '../../../model/naming.ts'
import { isContentType } from '../../../plan/find-attribute.ts'
import { buildFilterInput, hasEnum, scalarOfType } from '../fields/scalar-types.ts'
import { GraphqlDateTime } from '../fields/scalars.ts'
import { getObjectName, getZoneName } from '../graphql-names.ts'
import { getCreateName } from '../resolvers/nested-data.ts'
import { getUid, listAttributes, type SchemaBuilding } from './schema-building.ts'

export interface InputTypes {
  data(schema: Schema): GraphQLInputObjectType | undefined
  filters(schema: Schema): GraphQLInputObjectType
}

export function createInputTypes(
  building: SchemaBuilding,
  getEnum: (schema: Schema, attribute: ScalarAttribute) => GraphQLInputType,
): InputTypes {
  const data = new Map<Schema, GraphQLInputObjectType | undefined>()
  const filters = new Map<Schema, GraphQLInputObjectType>()
  const zones = new Map<Attribute, GraphQLScalarType>()
  const { shadowCrud, operations } = building

  function getZone(schema: Schema, attribute: DynamicZoneAttribute): GraphQLScalarType {
    let input = zones.get(attribute)
    if (input === undefined) {
      input = zoneInput(getObjectName(schema), attribute)
      zones.set(attribute, input)
    }
    return input
  }

  function dataType(schema: Schema, attribute: Attribute): GraphQLInputType | undefined {
    switch (attribute.kind) {
      case 'scalar':
        return hasEnum(attribute) ? getEnum(schema, attribute) : scalarOfType[attribute.type]
      case 'relation': {
        const { target } = attribute
        if (target === undefined || isMorphSide(attribute.relation)) return undefined
        // A separate mutation creates entries in other locales.
        if (target === schema && target.localized && attribute.name === 'localizations') return undefined
        if (!shadowCrud.isTypeEnabled(target.uid)) return undefined
        return attribute.cardinality === 'many' ? new GraphQLList(GraphQLID) : GraphQLID
      }
      case 'media':
        return attribute.multiple ? new GraphQLList(GraphQLID) : GraphQLID
      case 'component': {
        const input = getData(attribute.component)
        return attribute.repeatable && input !== undefined ? new GraphQLList(input) : input
      }
      case 'dynamiczone':
        return new GraphQLList(new GraphQLNonNull(getZone(schema, attribute)))
    }
  }

  function dataFields(schema: Schema): GraphQLInputFieldConfigMap {
    const fields: GraphQLInputFieldConfigMap = {}
    if (!isContentType(schema)) fields['id'] = { type: GraphQLID }
    for (const attribute of schema.attributes.values()) {
      if (!attribute.writable || !shadowCrud.hasFieldInput(getUid(schema), attribute.name)) continue
      const type = dataType(schema, attribute)
      if (type !== undefined) fields[attribute.name] = { type }
      if (type !== undefined && attribute.kind === 'relation') addCreate(fields, schema, attribute)
    }
    if (isContentType(schema)) {
      // The server sets both timestamps, whatever a payload says; a document's payload may not name them.
      const own = schema.document === undefined ? [schema.createdAt, schema.updatedAt] : []
      const published = schema.publishedAt ?? schema.document?.stamp
      for (const { name } of [...own, ...(published === undefined ? [] : [published])])
        if (shadowCrud.hasFieldInput(schema.uid, name)) fields[name] = { type: GraphqlDateTime }
      // As in Strapi, documents without locales accept `locale` and ignore it.
      if (schema.document !== undefined && !schema.localized) fields['locale'] = { type: GraphQLString }
    }
    return fields
  }

  /** The data of related entries that are created with the entry. */
  function addCreate(fields: GraphQLInputFieldConfigMap, schema: Schema, attribute: RelationAttribute): void {
    const { target, cardinality } = attribute
    const name = getCreateName(schema, attribute)
    const isGranted =
      target !== undefined &&
      operations.of(target).some((operation) => operation.action === 'create' && operation.isGranted)
    const input = target !== undefined && isGranted ? getData(target) : undefined
    if (name === undefined || input === undefined) return
    fields[name] = { type: cardinality === 'many' ? new GraphQLList(new GraphQLNonNull(input)) : input }
  }

  function getData(schema: Schema): GraphQLInputObjectType | undefined {
    if (data.has(schema)) return data.get(schema)
    const input = new GraphQLInputObjectType({
      name: `${getObjectName(schema)}Input`,
      fields: () => dataFields(schema),
    })
    data.set(schema, input)
    return input
  }

  function filterType(attribute: Attribute): GraphQLInputType | undefined {
    switch (attribute.kind) {
      case 'scalar':
        return buildFilterInput(scalarOfType[attribute.type])
      case 'relation': {
        const { target } = attribute
        if (target === undefined || isMorphSide(attribute.relation)) return undefined
        return shadowCrud.isTypeEnabled(target.uid) ? getFilters(target) : undefined
      }
      case 'component':
        return getFilters(attribute.component)
      case 'media':
      case 'dynamiczone':
        return undefined
    }
  }

  function getFilters(schema: Schema): GraphQLInputObjectType {
    const known = filters.get(schema)
    if (known !== undefined) return known
    const input: GraphQLInputObjectType = new GraphQLInputObjectType({
      name: `${getObjectName(schema)}FiltersInput`,
      fields: () => {
        const fields: GraphQLInputFieldConfigMap = {}
        const id = isContentType(schema) ? (schema.document?.documentId.name ?? 'id') : undefined
        if (id !== undefined && shadowCrud.hasFieldFilters(getUid(schema), id)) {
          fields[id] = { type: buildFilterInput(GraphQLID) }
        }
        for (const attribute of listAttributes(schema)) {
          if (
            attribute.name === id ||
            attribute.private ||
            !shadowCrud.hasFieldFilters(getUid(schema), attribute.name)
          )
            continue
          const type = filterType(attribute)
          if (type !== undefined) fields[attribute.name] = { type }
        }
        const list = { type: new GraphQLList(input) }
        return { ...fields, and: list, or: list, not: { type: input } }
      },
    })
    filters.set(schema, input)
    return input
  }

  return { data: getData, filters: getFilters }
}

/** As in Strapi, input types omit polymorphic sides of relations. */
function isMorphSide(relation: string): boolean {
  return relation.startsWith('morph')
}

/** `<Name><Attribute>DynamicZoneInput`: `__typename` names the component. */
function zoneInput(holderName: string, attribute: DynamicZoneAttribute): GraphQLScalarType {
  const uids = new Map(attribute.components.map((component) => [nameOfComponent(component), component.uid]))
  const parse = (value: unknown): unknown => {
    if (!isRecord(value)) throw new TypeError('A component of a dynamic zone must be an object')
    const { __typename: name, ...rest } = value
    const uid = typeof name === 'string' ? uids.get(name) : undefined
    if (uid === undefined) {
      throw new TypeError(`Component not found. expected one of: ${[...uids.keys()].join(', ')}`)
    }
    return { ...rest, __component: uid }
  }
  return new GraphQLScalarType({
    name: `${getZoneName(holderName, attribute.name)}Input`,
    parseValue: parse,
    parseLiteral(node, variables) {
      // For undefined, graphql-js reports the expected type.
      return node.kind === Kind.OBJECT ? parse(valueFromASTUntyped(node, variables)) : undefined
    },
  })
}
