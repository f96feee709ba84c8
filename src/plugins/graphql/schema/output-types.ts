// Output types: `<Name>`, `<Name>Entity` and the responses around them, components, dynamic zones.

import {
  GraphQLEnumType,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  GraphQLID,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
  GraphQLUnionType,
} from 'graphql'
import type { Attribute, DynamicZoneAttribute, ScalarAttribute } from '../../../model/attribute.ts'
import type { AttributeHolder, ContentType } from '../../../model/content-type.ts'
import { nameOfComponent, nameOfType } from '../../../model/naming.ts'
import { isContentType } from '../../../plan/find-attribute.ts'
import type { GraphqlContext } from '../../graphql-extension.ts'
import { safeUnion, withFacts } from '../fields/field-facts.ts'
import { hasEnum, scalarOfType } from '../fields/scalar-types.ts'
import { graphqlEnumName, graphqlEnumValue, graphqlZoneName } from '../graphql-names.ts'
import { ErrorType, PaginationArg, PublicationStateEnum, ResponseCollectionMeta } from './common-types.ts'
import { createInputTypes, type InputTypes } from './input-types.ts'
import { attributesOf, type FieldShape, holderName, type SchemaBuilding, uidOf } from './schema-building.ts'

export type Field = GraphQLFieldConfig<unknown, GraphqlContext>
type Fields = Record<string, Field>

export interface EntryTypes {
  readonly inputs: InputTypes
  response(type: ContentType): GraphQLObjectType
  collection(type: ContentType): GraphQLObjectType
  listArguments(holder: AttributeHolder): GraphQLFieldConfigArgumentMap
}

export function createEntryTypes(building: SchemaBuilding): EntryTypes {
  const { shadowCrud, resolvers, model } = building
  const enums = new Map<Attribute, GraphQLEnumType>()
  const objects = new Map<AttributeHolder, GraphQLObjectType>()
  const wrappers = new Map<string, GraphQLObjectType>()
  const zones = new Map<Attribute, GraphQLUnionType>()
  const inputs = createInputTypes(building, enumOf)
  let morph: GraphQLUnionType | undefined

  function enumOf(holder: AttributeHolder, attribute: ScalarAttribute): GraphQLEnumType {
    let type = enums.get(attribute)
    if (type === undefined) {
      type = enumType(holderName(holder), attribute)
      enums.set(attribute, type)
    }
    return type
  }

  function objectOf(holder: AttributeHolder): GraphQLObjectType {
    let type = objects.get(holder)
    if (type === undefined) {
      type = new GraphQLObjectType({ name: holderName(holder), fields: () => fieldsOf(holder) })
      objects.set(holder, type)
    }
    return type
  }

  function fieldsOf(holder: AttributeHolder): Fields {
    const fields: Fields = {}
    if (!isContentType(holder))
      fields['id'] = { type: new GraphQLNonNull(GraphQLID), extensions: withFacts({ shows: 'id' }) }
    for (const attribute of attributesOf(holder)) {
      if (attribute.private || !shadowCrud.hasFieldOutput(uidOf(holder), attribute.name)) continue
      const shape = shapeOf(holder, attribute)
      if (shape === undefined) continue
      const { required } = attribute
      fields[attribute.name] = {
        ...shape,
        type: required ? new GraphQLNonNull(shape.type as GraphQLObjectType) : shape.type,
        extensions: withFacts({ attribute, auth: authOf(attribute) }),
        ...(attribute.kind === 'scalar' ? {} : { resolve: resolvers.member(holder, attribute) }),
      }
    }
    return fields
  }

  /** Entries of a relation require the permission to find them; files and components need none of their own. */
  function authOf(attribute: Attribute): { readonly scope: readonly string[] } | undefined {
    if (attribute.kind !== 'relation' || attribute.target === undefined) return undefined
    return { scope: [`${attribute.target.uid}.find`] }
  }

  function shapeOf(holder: AttributeHolder, attribute: Attribute): FieldShape | undefined {
    switch (attribute.kind) {
      case 'scalar':
        return {
          type: hasEnum(attribute) ? enumOf(holder, attribute) : scalarOfType[attribute.type],
        }
      case 'relation': {
        const { target, relation } = attribute
        if (target === undefined) {
          const union = genericMorph()
          return { type: attribute.cardinality === 'many' ? new GraphQLList(union) : union }
        }
        if (relation === 'morphMany' || !shadowCrud.isTypeEnabled(target.uid)) return undefined
        return relatedShape(target, attribute.cardinality === 'many')
      }
      case 'media':
        return relatedShape(attribute.target, attribute.multiple)
      case 'component': {
        const type = objectOf(attribute.component)
        if (!attribute.repeatable) return { type }
        return { type: new GraphQLList(type), args: listArguments(attribute.component) }
      }
      case 'dynamiczone':
        return { type: new GraphQLList(zoneOf(holder, attribute)) }
    }
  }

  function relatedShape(target: ContentType, many: boolean): FieldShape {
    return many
      ? { type: relationCollectionOf(target), args: listArguments(target) }
      : { type: responseOf(target) }
  }

  /** A single type has no list to filter or sort. */
  function listArguments(holder: AttributeHolder): GraphQLFieldConfigArgumentMap {
    const type = isContentType(holder) ? holder : undefined
    const state =
      type?.publishedAt === undefined
        ? {}
        : { publicationState: { type: PublicationStateEnum, defaultValue: 'live' } }
    if (type?.kind === 'singleType') return state
    return {
      filters: { type: inputs.filters(holder) },
      pagination: { type: PaginationArg, defaultValue: {} },
      sort: { type: new GraphQLList(GraphQLString), defaultValue: [] },
      ...state,
    }
  }

  function wrapper(name: string, fields: () => Fields): GraphQLObjectType {
    let type = wrappers.get(name)
    if (type === undefined) {
      type = new GraphQLObjectType({ name, fields })
      wrappers.set(name, type)
    }
    return type
  }

  function entityOf(type: ContentType): GraphQLObjectType {
    return wrapper(`${nameOfType(type)}Entity`, () => ({
      id: { type: GraphQLID, extensions: withFacts({ shows: 'id' }) },
      attributes: {
        type: objectOf(type),
        resolve: resolvers.attributes,
        extensions: withFacts({ shows: 'attributes' }),
      },
    }))
  }

  function responseOf(type: ContentType): GraphQLObjectType {
    return wrapper(`${nameOfType(type)}EntityResponse`, () => ({
      data: { type: entityOf(type), resolve: resolvers.value, extensions: withFacts({ shows: 'entry' }) },
    }))
  }

  const entities = (type: ContentType): Field => ({
    type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(entityOf(type)))),
    resolve: resolvers.nodes,
    extensions: withFacts({ shows: 'entries' }),
  })

  function collectionOf(type: ContentType): GraphQLObjectType {
    return wrapper(`${nameOfType(type)}EntityResponseCollection`, () => ({
      data: entities(type),
      meta: {
        type: new GraphQLNonNull(ResponseCollectionMeta),
        resolve: resolvers.meta,
        extensions: withFacts({ shows: 'meta' }),
      },
    }))
  }

  function relationCollectionOf(type: ContentType): GraphQLObjectType {
    return wrapper(`${nameOfType(type)}RelationResponseCollection`, () => ({ data: entities(type) }))
  }

  function zoneOf(holder: AttributeHolder, attribute: DynamicZoneAttribute): GraphQLUnionType {
    let union = zones.get(attribute)
    if (union === undefined) {
      const names = new Map(attribute.components.map((each) => [each.uid, nameOfComponent(each)]))
      union = new GraphQLUnionType({
        name: graphqlZoneName(holderName(holder), attribute.name),
        extensions: safeUnion,
        types: () => [...attribute.components.map(objectOf), ErrorType],
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
        [...components, ...types].map(objectOf).filter((type) => Object.keys(type.getFields()).length > 0),
      resolveType: (value: { readonly __type?: string } | undefined) => names.get(value?.__type ?? ''),
    })
    return morph
  }

  return { inputs, response: responseOf, collection: collectionOf, listArguments }
}

/** An enumeration's values have valid GraphQL names; the stored texts do not change. */
function enumType(holderName: string, attribute: ScalarAttribute): GraphQLEnumType {
  const values = (attribute.enum ?? []).map((value) => [graphqlEnumValue(value), { value }] as const)
  return new GraphQLEnumType({
    name: graphqlEnumName(holderName, attribute.name),
    values: Object.fromEntries(values),
  })
}
