// Makes an encoder from the selection of an object: the parts that are the same in every answer are written once.

import {
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  isNonNullType,
  type SelectionSetNode,
} from 'graphql'
import { Unencodable } from '../fields/encode-field.ts'
import { factsOf, mayResolve } from '../fields/field-facts.ts'
import { collectFields } from '../selection/collect-fields.ts'
import type { ReadEnv } from '../selection/selection-params.ts'

export type Encode<T> = (value: T) => string
export type SelectionSets = readonly (SelectionSetNode | undefined)[]
type Field = GraphQLField<unknown, unknown>

export interface EncodeEnv extends ReadEnv {
  /** The response names from the root to the object. */
  readonly path: readonly string[]
}

export interface SelectedField {
  /** The response name. */
  readonly key: string
  /** With the path of the field. */
  readonly env: EncodeEnv
  readonly field: Field
  /** The selection sets below it. */
  readonly sets: SelectionSets
}

/** Throws Unencodable if the caller may not read all of it. `encoderOf` covers every field except `__typename`. */
export function createObjectEncoder<T>(
  sets: SelectionSets,
  type: GraphQLObjectType,
  env: EncodeEnv,
  encoderOf: (selected: SelectedField) => Encode<T>,
): Encode<T> {
  const parts: { readonly before: string; readonly encode: Encode<T> }[] = []
  const fields = type.getFields()
  let before = '{'
  let comma = ''
  for (const [key, nodes] of collectFields(sets, type.name, env).fields) {
    before += `${comma}"${key}":`
    comma = ','
    const field = fieldOf(nodes, fields)
    if (field === undefined) {
      before += `"${type.name}"`
      continue
    }
    if (!mayResolve(factsOf(field).auth, env.principal)) throw new Unencodable(`${type.name}.${field.name}`)
    parts.push({
      before,
      encode: encoderOf({
        key,
        env: { ...env, path: [...env.path, key] },
        field,
        sets: nodes.map(({ selectionSet }) => selectionSet),
      }),
    })
    before = ''
  }
  const end = `${before}}`
  const [first] = parts
  if (first === undefined) return () => end
  if (parts.length === 1) return (value) => first.before + first.encode(value) + end
  return (value) => {
    let text = ''
    for (const part of parts) text += part.before + part.encode(value)
    return text + end
  }
}

/** Undefined for `__typename`, the one field that every type has. */
function fieldOf(nodes: readonly FieldNode[], fields: Readonly<Record<string, Field>>): Field | undefined {
  const name = nodes[0]?.name.value ?? ''
  return name === '__typename' ? undefined : fields[name]
}

/** The JSON of a missing value. Throws Unencodable if the field is non-null. */
export function encodeNull({ type, name }: Pick<Field, 'type' | 'name'>): string {
  if (isNonNullType(type)) throw new Unencodable(`${name} may not be null`)
  return 'null'
}

export function encodeList<T>(values: readonly T[], encode: Encode<T>): string {
  let text = '['
  for (let index = 0; index < values.length; index++) {
    if (index > 0) text += ','
    text += encode(values[index] as T)
  }
  return `${text}]`
}
