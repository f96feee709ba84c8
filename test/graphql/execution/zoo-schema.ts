// A schema with one of everything that two engines could understand differently: for tests that compare them.

import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLError,
  GraphQLFloat,
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
} from 'graphql'
import { ApiError } from '../../../src/lib/errors/api-error.ts'

const later = <T>(value: T): Promise<T> => new Promise((resolve) => setImmediate(() => resolve(value)))

const Diet = new GraphQLEnumType({
  name: 'Diet',
  values: { PLANTS: { value: { eats: 'plants' } }, MEAT: { value: 'meat' }, ALL: {} },
})

const Anything = new GraphQLScalarType({ name: 'Anything', serialize: (value) => value })
const Picky = new GraphQLScalarType({
  name: 'Picky',
  serialize(value) {
    if (value === 'client') throw new GraphQLError('Picky takes no clients')
    if (value === 'fault') throw new TypeError('secret of the server')
    return value === 'nothing' ? undefined : value
  },
})

const Filter: GraphQLInputObjectType = new GraphQLInputObjectType({
  name: 'Filter',
  fields: () => ({
    name: { type: GraphQLString },
    diet: { type: Diet, defaultValue: 'meat' },
    ages: { type: new GraphQLList(GraphQLInt) },
    strict: { type: new GraphQLNonNull(GraphQLBoolean), defaultValue: false },
    and: { type: new GraphQLList(Filter) },
    not: { type: Filter },
    any: { type: Anything },
  }),
})

const Named = new GraphQLInterfaceType({ name: 'Named', fields: { name: { type: GraphQLString } } })

const Cat: GraphQLObjectType = new GraphQLObjectType({
  name: 'Cat',
  interfaces: [Named],
  fields: () => ({
    name: { type: GraphQLString },
    lives: { type: new GraphQLNonNull(GraphQLInt) },
    friends: { type: new GraphQLList(new GraphQLNonNull(Pet)), resolve: ({ name }) => petsOf(String(name)) },
    kittens: { type: new GraphQLList(new GraphQLNonNull(Cat)), resolve: () => later([tom, broken]) },
  }),
})

const Dog: GraphQLObjectType = new GraphQLObjectType({
  name: 'Dog',
  interfaces: [Named],
  fields: () => ({
    name: { type: GraphQLString },
    barks: { type: GraphQLFloat, resolve: () => later(1.5) },
    owner: { type: Owner, resolve: () => ({ id: 7, tags: new Set(['a', 'b']) }) },
  }),
})

const Pet: GraphQLUnionType = new GraphQLUnionType({
  name: 'Pet',
  types: () => [Cat, Dog],
  resolveType: (value: { kind: string }) => value.kind,
})

const Owner: GraphQLObjectType = new GraphQLObjectType({
  name: 'Owner',
  fields: () => ({
    id: { type: GraphQLID },
    tags: { type: new GraphQLList(GraphQLString) },
    method: { type: GraphQLString },
    promise: { type: GraphQLString },
    getter: { type: GraphQLString },
  }),
})

const tom = { kind: 'Cat', name: 'Tom', lives: 9 }
const broken = { kind: 'Cat', name: 'Broken', lives: null }
const rex = { kind: 'Dog', name: 'Rex' }

function petsOf(name: string): unknown {
  return name === 'Tom' ? [rex, broken] : [rex]
}

const Query = new GraphQLObjectType({
  name: 'Query',
  fields: () => ({
    echo: {
      type: Anything,
      args: {
        filter: { type: Filter },
        diet: { type: Diet, defaultValue: 'meat' },
        ids: { type: new GraphQLList(new GraphQLNonNull(GraphQLID)) },
        text: { type: GraphQLString, defaultValue: '__MAGIC "`\u0024{1}' },
        must: { type: new GraphQLNonNull(GraphQLInt), defaultValue: 3 },
        any: { type: Anything },
        page: { type: Filter, defaultValue: {} },
      },
      resolve: (_, args) => args,
    },
    needs: {
      type: Anything,
      args: { value: { type: new GraphQLNonNull(Filter) } },
      resolve: (_, args) => args,
    },
    cat: { type: Cat, resolve: () => tom },
    laterCat: { type: Cat, resolve: () => later(tom) },
    brokenCat: { type: Cat, resolve: () => broken },
    mustCat: { type: new GraphQLNonNull(Cat), resolve: () => later(broken) },
    pets: { type: new GraphQLList(Pet), resolve: () => [tom, rex, null, later(tom)] },
    named: { type: new GraphQLList(Named), resolve: () => [{ ...tom, __typename: 'Cat' }] },
    owner: {
      type: Owner,
      resolve: () => ({
        id: 1,
        *tags() {
          yield 'a'
          throw new Error('in the middle of a list')
        },
        method: () => 'called',
        promise: later('kept'),
        get getter() {
          throw new Error('a getter that throws')
        },
      }),
    },
    picky: {
      type: new GraphQLList(Picky),
      resolve: () => ['good', 'client', 'fault', 'nothing', null, 0],
    },
    diet: { type: Diet, resolve: () => 'wrong' },
    numbers: { type: new GraphQLList(GraphQLInt), resolve: () => [1, 2 ** 40, 'x', Number.NaN, true] },
    texts: { type: new GraphQLList(GraphQLString), resolve: () => ['"', '\u2028', '\ud800', 5, true] },
    notAList: { type: new GraphQLList(GraphQLString), resolve: () => 5 },
    fails: { type: GraphQLString, resolve: () => Promise.reject(new Error('SQLITE_ERROR: no such table')) },
    throws: {
      type: GraphQLString,
      resolve() {
        throw new Error('secret of the server')
      },
    },
    mustThrow: {
      type: new GraphQLNonNull(GraphQLString),
      resolve() {
        throw new ApiError('ValidationError', 'not so', { errors: [] })
      },
    },
    refuses: {
      type: GraphQLString,
      resolve() {
        throw new ApiError('NotFoundError', 'Entity not found')
      },
    },
    returnsError: { type: GraphQLString, resolve: () => new ApiError('ForbiddenError', 'Forbidden access') },
    forClients: {
      type: GraphQLString,
      resolve() {
        throw new GraphQLError('for clients', { extensions: { code: 'TEAPOT', brew: 1 } })
      },
    },
    me: {
      type: GraphQLString,
      resolve: (_parent, _args, context: { name?: string }, info) =>
        `${context.name} ${info.fieldName} ${info.parentType.name} ${String(info.returnType)} ${info.path.key}`,
    },
  }),
})

const counter = {
  type: GraphQLInt,
  resolve: (_: unknown, __: unknown, context: { count?: number }) => bump(context),
}

function bump(context: { count?: number }): Promise<number> {
  context.count = (context.count ?? 0) + 1
  return later(context.count)
}

const Mutation = new GraphQLObjectType({
  name: 'Mutation',
  fields: {
    count: counter,
    countNow: {
      ...counter,
      resolve: (_: unknown, __: unknown, c: { count?: number }) => (c.count = (c.count ?? 0) + 1),
    },
    failing: { type: GraphQLInt, resolve: () => Promise.reject(new ApiError('ApplicationError', 'no')) },
    cat: { type: Cat, args: { filter: { type: Filter } }, resolve: () => later(tom) },
    login: { type: GraphQLString, resolve: () => 'token' },
  },
})

/** A new one each time: operations change what they are given. */
export function zooSchema(): GraphQLSchema {
  const config = new GraphQLSchema({ query: Query, mutation: Mutation, types: [Cat, Dog] }).toConfig()
  return new GraphQLSchema(config)
}
