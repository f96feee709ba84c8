// Shows a value inside a JSON attribute: `extra(at: "in.size")`.

import { type GraphQLFieldConfigArgumentMap, type GraphQLFieldResolver, GraphQLString } from 'graphql'
import { buildRecord } from '../../../lib/is-record.ts'
import type { ScalarAttribute } from '../../../model/attribute.ts'
import { assertJsonPath } from '../../../plan/conditions/plan-json.ts'

export const pathArgument: GraphQLFieldConfigArgumentMap = {
  at: { type: GraphQLString, description: 'Names and positions that lead to a value inside: "in.size"' },
}

/** The value at the path, or null if the path leads nowhere. */
export function resolveJsonPath(attribute: ScalarAttribute): GraphQLFieldResolver<unknown, unknown> {
  return (parent, { at }) => {
    const value = buildRecord(parent)[attribute.name]
    if (typeof at !== 'string') return value
    const path = at.split('.')
    assertJsonPath(attribute, path)
    return path.reduce(readMember, value) ?? null
  }
}

function readMember(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return /^\d+$/.test(name) ? value[Number(name)] : undefined
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined
}
