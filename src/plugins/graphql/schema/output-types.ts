// Output types: `<Name>` with its attributes, components, dynamic zones.

import {
  GraphQLEnumType,
  type GraphQLFieldConfigArgumentMap,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
  GraphQLUnionType,
  isNonNullType,
} from 'graphql'
import type { Attribute, DynamicZoneAttribute, ScalarAttribute } from '../../../model/attribute.ts'
import type { ContentType, Schema } from '../../../model/content-type.ts'
import { nameOfComponent, nameOfType } from '../../../model/naming.ts'
import { isContentType } from '../../../plan/find-attribute.ts'
import { safeUnion, withFacts } from '../fields/field-facts.ts'
import { pathArgument, resolveJsonPath } from '../fields/json-path.ts'
import { hasEnum, scalarOfType } from '../fields/scalar-types.ts'
import { GraphqlJson } from '../fields/scalars.ts'
import { getEnumName, getEnumValue, getObjectName, getZoneName } from '../graphql-names.ts'
import { ErrorType, PaginationArg } from './common-types.ts'
import type { EntryEnvelopes, EnvelopeOptions, Fields } from './entry-envelopes.ts'
import { createInputTypes, type InputTypes } from './input-types.ts'
import { type FieldShape, getUid, listAttributes, type SchemaBuilding } from './schema-building.ts'

export interface EntryTypes extends Pick<EntryEnvelopes, 'one' | 'collection' | 'written' | 'response'> {
  readonly inputs: InputTypes
  listArguments(schema: Schema): GraphQLFieldConfigArgumentMap
}

/** `stateArguments`: arguments of a list that choose versions of its entries. */
export interface EntryForms {
  createEnvelopes(parts: EnvelopeOptions): EntryEnvelopes
  stateArguments(type: ContentType): GraphQLFieldConfigArgumentMap
}

export function createEntryTypes(building: SchemaBuilding, forms: EntryForms): EntryTypes {
  const { shadowCrud, resolvers, model } = building
  const enums = new Map<Attribute, GraphQLEnumType>()
  const objects = new Map<Schema, GraphQLObjectType>()
  const zones = new Map<Attribute, GraphQLUnionType>()
  const inputs = createInputTypes(building, getEnum)
  const { stateArguments } = forms
  const envelopes = forms.createEnvelopes({ building, getObject: buildObject, listArguments })
  let morph: GraphQLUnionType | undefined

  function getEnum(schema: Schema, attribute: ScalarAttribute): GraphQLEnumType {
    let type = enums.get(attribute)
    if (type === undefined) {
      type = enumType(getObjectName(schema), attribute)
      enums.set(attribute, type)
    }
    return type
  }

  function buildObject(schema: Schema): GraphQLObjectType {
    let type = objects.get(schema)
    if (type === undefined) {
      type = new GraphQLObjectType({ name: getObjectName(schema), fields: () => resolveFields(schema) })
      objects.set(schema, type)
    }
    return type
  }

  function resolveFields(schema: Schema): Fields {
    const fields: Fields = envelopes.ids(schema)
    for (const attribute of listAttributes(schema)) {
      if (attribute.private || !shadowCrud.hasFieldOutput(getUid(schema), attribute.name)) continue
      if (fields[attribute.name] !== undefined) continue
      for (const [name, shape] of Object.entries(getShapes(schema, attribute))) {
        const required = attribute.required && !isNonNullType(shape.type)
        fields[name] = {
          ...shape,
          type: required ? new GraphQLNonNull(shape.type as GraphQLObjectType) : shape.type,
          extensions: withFacts({ attribute, auth: getAuth(attribute) }),
        }
      }
    }
    return fields
  }

  /**
   * Entries of a relation require the `find` permission; files and components need no permission of their
   * own.
   */
  function getAuth(attribute: Attribute): { readonly scope: readonly string[] } | undefined {
    if (attribute.kind !== 'relation' || attribute.target === undefined) return undefined
    return { scope: [`${attribute.target.uid}.find`] }
  }

  /** Keyed by field name; a list may have a second field for its page. */
  function getShapes(schema: Schema, attribute: Attribute): Readonly<Record<string, FieldShape>> {
    const { name } = attribute
    if (attribute.kind === 'scalar' && attribute.type === 'json')
      return { [name]: { type: GraphqlJson, args: pathArgument, resolve: resolveJsonPath(attribute) } }
    if (attribute.kind === 'scalar')
      return {
        [name]: { type: hasEnum(attribute) ? getEnum(schema, attribute) : scalarOfType[attribute.type] },
      }
    const resolve = resolvers.member(schema, attribute)
    switch (attribute.kind) {
      case 'relation': {
        const { target, relation } = attribute
        const many = attribute.cardinality === 'many'
        if (target === undefined) {
          const union = genericMorph()
          return { [name]: { type: many ? new GraphQLList(union) : union, resolve } }
        }
        if (relation === 'morphMany' || !shadowCrud.isTypeEnabled(target.uid)) return {}
        return envelopes.related(name, target, many, resolve)
      }
      case 'media':
        return envelopes.related(name, attribute.target, attribute.multiple, resolve)
      case 'component': {
        const type = buildObject(attribute.component)
        if (!attribute.repeatable) return { [name]: { type, resolve } }
        const args = listArguments(attribute.component)
        return { [name]: { type: new GraphQLList(type), args, resolve } }
      }
      case 'dynamiczone':
        return { [name]: { type: new GraphQLList(getZone(schema, attribute)), resolve } }
    }
  }

  /** A single type has no list to filter or sort. */
  function listArguments(schema: Schema): GraphQLFieldConfigArgumentMap {
    const state = isContentType(schema) ? stateArguments(schema) : {}
    if (isContentType(schema) && schema.kind === 'singleType') return state
    return {
      filters: { type: inputs.filters(schema) },
      pagination: { type: PaginationArg, defaultValue: {} },
      sort: { type: new GraphQLList(GraphQLString), defaultValue: [] },
      ...state,
    }
  }

  function getZone(schema: Schema, attribute: DynamicZoneAttribute): GraphQLUnionType {
    let union = zones.get(attribute)
    if (union === undefined) {
      const names = new Map(attribute.components.map((each) => [each.uid, nameOfComponent(each)]))
      union = new GraphQLUnionType({
        name: getZoneName(getObjectName(schema), attribute.name),
        extensions: safeUnion,
        types: () => [...attribute.components.map(buildObject), ErrorType],
        resolveType: (value: { readonly __component?: string } | undefined) =>
          names.get(value?.__component ?? ''),
      })
      zones.set(attribute, union)
    }
    return union
  }

  function genericMorph(): GraphQLUnionType {
    if (morph !== undefined) return morph
    const types = [...model.contentTypes.values()].filter(({ uid }) => shadowCrud.isTypeEnabled(uid))
    const components = [...model.components.values()]
    const names = new Map(types.map((type) => [type.uid as string, nameOfType(type)]))
    morph = new GraphQLUnionType({
      name: 'GenericMorph',
      extensions: safeUnion,
      types: () =>
        [...components, ...types].map(buildObject).filter((type) => Object.keys(type.getFields()).length > 0),
      resolveType: (value: { readonly __type?: string } | undefined) => names.get(value?.__type ?? ''),
    })
    return morph
  }

  const { one, collection, written, response } = envelopes
  return { inputs, one, collection, written, response, listArguments }
}

function enumType(holderName: string, attribute: ScalarAttribute): GraphQLEnumType {
  const values = (attribute.enum ?? []).map((value) => [getEnumValue(value), { value }] as const)
  return new GraphQLEnumType({
    name: getEnumName(holderName, attribute.name),
    values: Object.fromEntries(values),
  })
}
