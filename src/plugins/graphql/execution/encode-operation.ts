// A validated query -> a function that writes its answer from rows, without values in between (decision 0071); undefined
// where one of its fields has more to it.

import {
  BREAK,
  type FieldNode,
  type GraphQLField,
  type GraphQLSchema,
  getArgumentValues,
  type OperationDefinitionNode,
  print,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { createRowTally, type RowTally } from '../../../content/row-tally.ts'
import type { GraphqlContext } from '../../graphql-extension.ts'
import { type EncodeField, Unencodable } from '../encoding/encode-field.ts'
import { collectFields, type SelectionEnv } from '../selection/collect-fields.ts'
import type { KnownDocument } from './parse-document.ts'

type Values = Readonly<Record<string, unknown>>
type Field = GraphQLField<unknown, unknown>

export interface Encodability {
  /** Of a root field. Undefined: it has no encoder. */
  encoderOf(field: Field): EncodeField | undefined
  /** Whether an encoder of what is above it writes the field. */
  isEncodable(field: Field): boolean
}

export interface EncodedOperation {
  /** What stands behind `data`; undefined: the engines have to answer. Never throws or rejects. */
  run(context: object, variables: Values): string | undefined | Promise<string | undefined>
}

interface RootField {
  /** What it is answered as. */
  readonly key: string
  /** Where among the fields the first one stands that differs in nothing but its key; it alone is read. */
  readonly like: number
  begin(context: GraphqlContext, env: SelectionEnv, tally: RowTally): string | Promise<string>
}

export function encodeOperation(
  schema: GraphQLSchema,
  known: KnownDocument,
  operation: OperationDefinitionNode,
  encodability: Encodability,
): EncodedOperation | undefined {
  const root = schema.getQueryType()
  if (operation.operation !== 'query' || root === undefined || root === null) return undefined
  if (!isWhole(operation, known, schema, encodability)) return undefined
  const fields = root.getFields()
  const hasVariables = (operation.variableDefinitions ?? []).length > 0
  let kept: readonly RootField[] | undefined

  function rootFieldsOf(env: SelectionEnv): readonly RootField[] {
    const collected = collectFields([operation.selectionSet], root?.name ?? '', env)
    const asked = collected.fields.size === 1 ? [] : [...collected.fields.values()].map(withoutKey)
    const found = [...collected.fields].map(([key, nodes], index): RootField => {
      const [node] = nodes
      const like = asked.length === 0 ? index : asked.indexOf(asked[index] ?? '')
      const field = node === undefined ? undefined : fields[node.name.value]
      // `__typename` is a field of every type, and in no list of fields.
      if (node === undefined || field === undefined) return { key, like, begin: () => `"${root?.name}"` }
      const encode = encodability.encoderOf(field)
      if (encode === undefined) throw new Unencodable(field.name)
      const constant = hasVariables ? undefined : getArgumentValues(field, node)
      return {
        key,
        like,
        begin(context, now, tally) {
          const args = constant ?? getArgumentValues(field, node, now.variableValues)
          return encode(args, context, { ...now, fieldNodes: nodes, returnType: field.type }, tally)
        },
      }
    })
    if (collected.fixed) kept = found
    return found
  }

  return {
    run(context, variables) {
      const begun: (string | Promise<string>)[] = []
      let found: readonly RootField[]
      try {
        const env: SelectionEnv = { fragments: known.fragments, variableValues: variables, schema }
        found = kept ?? rootFieldsOf(env)
        const tally = createRowTally()
        for (const { like, begin } of found) {
          begun.push(begun[like] ?? begin(context as GraphqlContext, env, tally))
        }
      } catch {
        // Whatever it was, the engines meet it again and know where to say it. A read that began is not waited for.
        void Promise.allSettled(begun)
        return undefined
      }
      if (begun.every((value) => typeof value === 'string')) return objectOf(found, begun)
      return Promise.all(begun).then(
        (values) => objectOf(found, values),
        () => undefined,
      )
    },
  }
}

/** The text of a field but for what it is answered as. */
function withoutKey(nodes: readonly FieldNode[]): string {
  return nodes.map(({ alias: _, ...node }) => print(node)).join(' ')
}

function objectOf(fields: readonly RootField[], values: readonly string[]): string {
  return `{${fields.map(({ key }, index) => `"${key}":${values[index]}`).join(',')}}`
}

/** Whether an encoder has a word for every field of it. */
function isWhole(
  operation: OperationDefinitionNode,
  { fragments }: KnownDocument,
  schema: GraphQLSchema,
  { encoderOf, isEncodable }: Encodability,
): boolean {
  const root = schema.getQueryType()
  let whole = true
  for (const definition of [operation, ...Object.values(fragments)]) {
    const types = new TypeInfo(schema)
    visit(
      definition,
      visitWithTypeInfo(types, {
        Field({ name }) {
          const field = types.getFieldDef()
          const isRoot = types.getParentType() === root
          whole &&=
            name.value === '__typename' ||
            (field !== undefined &&
              field !== null &&
              (isRoot ? encoderOf(field) !== undefined : isEncodable(field)))
          return whole ? undefined : BREAK
        },
      }),
    )
  }
  return whole
}
