// Adds nexus types and plugins to the schema; the library is loaded when an extension needs it.

import { createRequire } from 'node:module'
import {
  type GraphQLNamedType,
  type GraphQLSchema,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql'
import { resolveFacts, withFacts } from '../fields/field-facts.ts'

type Nexus = typeof import('nexus')

let library: Nexus | undefined

export function loadNexus(): Nexus {
  library ??= createRequire(import.meta.url)('nexus') as Nexus
  return library
}

/** Throws if a type exists already. */
export function addNexusTypes(
  schema: GraphQLSchema,
  types: readonly unknown[],
  plugins: readonly unknown[],
): GraphQLSchema {
  const { makeSchema } = loadNexus()
  const existing = Object.values(schema.getTypeMap()).filter(
    (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
  )
  for (const type of types.flat(3)) assertNew(type, schema)
  const made = makeSchema({
    types: [...existing, ...types] as never,
    plugins: [...plugins] as never,
    shouldGenerateArtifacts: false,
    outputs: false,
    // The server's results name their type.
    features: { abstractTypeRuntimeChecks: false },
  })
  for (const type of existing) carryOver(type, made)
  return made
}

/** nexus would silently replace the existing type. */
function assertNew(type: unknown, schema: GraphQLSchema): void {
  if (typeof type !== 'object' || type === null || !('name' in type)) return
  const { name } = type
  if (/Extend/.test(type.constructor.name) || typeof name !== 'string' || schema.getType(name) === undefined)
    return
  throw new Error(`the type ${name} is there already; extendType({ type: '${name}' }) adds to it`)
}

/** nexus loses the server's extensions of types and fields when it rebuilds them. */
function carryOver(type: GraphQLNamedType, made: GraphQLSchema): void {
  const rebuilt = made.getType(type.name)
  if (rebuilt === undefined) return
  rebuilt.extensions = { ...rebuilt.extensions, ...type.extensions }
  if ('resolveType' in type && 'resolveType' in rebuilt) rebuilt.resolveType = type.resolveType as never
  if (!isObjectType(type) || !isObjectType(rebuilt)) return
  for (const field of Object.values(type.getFields())) {
    const now = rebuilt.getFields()[field.name]
    if (now === undefined) continue
    // nexus gives every field a resolver; a field that only reads a property is faster without one.
    if (field.resolve === undefined && now.resolve?.name === 'defaultFieldResolver')
      now.resolve = undefined as never
    const changed = now.resolve !== field.resolve
    now.extensions = {
      ...now.extensions,
      ...withFacts({ ...resolveFacts(field), ...(changed ? { custom: true } : {}) }),
    }
  }
}
