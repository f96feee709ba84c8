// Makes a function from a validated query that writes its answer directly from rows, without values in between
// (decision 0071). Returns undefined if one of its fields needs more than that.

import {
  BREAK,
  type FieldNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLSchema,
  isNonNullType,
  locatedError,
  type OperationDefinitionNode,
  print,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import type { AnswerBudget } from '../../../content/rows/answer-budget.ts'
import type { ReadFrom } from '../../../http/kept-answers.ts'
import type { GraphqlContext } from '../../graphql-extension.ts'
import { type EncodeField, Unencodable } from '../fields/encode-field.ts'
import { collectFields, type SelectionEnv } from '../selection/collect-fields.ts'
import { repeatCuts } from '../selection/cut-lists.ts'
import { budgetOf } from '../selection/request-budget.ts'
import type { KnownDocument } from './parse-document.ts'
import { createArgumentsReader } from './read-arguments.ts'

type Values = Readonly<Record<string, unknown>>
type Field = GraphQLField<unknown, unknown>

export interface Encodability {
  /** The encoder of a root field; undefined if it has none. */
  encoderOf(field: Field): EncodeField | undefined
  /** Whether the encoder of its parent can write the field. */
  isEncodable(field: Field): boolean
}

export interface EncodedOperation {
  /** Returns undefined if the engines have to answer. What is read is added to `readFrom`. */
  run(
    context: object,
    variables: Values,
    readFrom?: ReadFrom,
  ): Written | undefined | Promise<Written | undefined>
}

export interface Written {
  /** The JSON after `"data":`. */
  readonly data: string
  /** Whether any root field has a value. */
  readonly answered: boolean
  readonly errors: readonly GraphQLError[]
}

interface RootField {
  /** The response name. */
  readonly key: string
  /** Index of the first field that differs from this one only in its key; only that one is read. */
  readonly like: number
  readonly nodes: readonly FieldNode[]
  /** Whether the field may be null if it fails. */
  readonly nullable: boolean
  begin(
    context: GraphqlContext,
    env: SelectionEnv,
    budget: AnswerBudget,
    readFrom: ReadFrom | undefined,
  ): string | Promise<string>
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
  let kept: readonly RootField[] | undefined

  function rootFieldsOf(env: SelectionEnv): readonly RootField[] {
    const collected = collectFields([operation.selectionSet], root?.name ?? '', env)
    const asked = collected.fields.size === 1 ? [] : [...collected.fields.values()].map(withoutKey)
    const found = [...collected.fields].map(([key, nodes], index): RootField => {
      const [node] = nodes
      const like = asked.length === 0 ? index : asked.indexOf(asked[index] ?? '')
      const field = node === undefined ? undefined : fields[node.name.value]
      // `__typename` is on every type, but not in `getFields()`.
      if (node === undefined || field === undefined)
        return { key, like, nodes, nullable: false, begin: () => `"${root?.name}"` }
      const encode = encodability.encoderOf(field)
      if (encode === undefined) throw new Unencodable(field.name)
      const readArguments = createArgumentsReader(field, node)
      return {
        key,
        like,
        nodes,
        nullable: !isNonNullType(field.type),
        begin(context, now, budget, readFrom) {
          return encode(
            readArguments(now.variableValues),
            context,
            { ...now, fieldNodes: nodes, returnType: field.type },
            budget,
            readFrom,
          )
        },
      }
    })
    if (collected.fixed) kept = found
    return found
  }

  return {
    run(context, variables, readFrom) {
      const env: SelectionEnv = { fragments: known.fragments, variableValues: variables, schema }
      const budget = budgetOf(context)
      const begun: (Outcome | Promise<Outcome>)[] = []
      let found: readonly RootField[]
      try {
        found = kept ?? rootFieldsOf(env)
      } catch (error) {
        if (isForEngines(error)) return undefined
        throw error
      }
      for (const { like, begin } of found) {
        begun.push(begun[like] ?? outcomeOf(() => begin(context as GraphqlContext, env, budget, readFrom)))
      }
      const settled = (outcomes: readonly Outcome[]): Written | undefined => {
        for (const [index, { key, like }] of found.entries())
          if (like !== index) repeatCuts(context, found[like]?.key ?? key, key)
        return written(found, outcomes)
      }
      return begun.every(isSettled) ? settled(begun) : Promise.all(begun).then(settled)
    },
  }
}

/** The result of a field: its text, or what was thrown. */
type Outcome = string | { readonly thrown: unknown }

function outcomeOf(begin: () => string | Promise<string>): Outcome | Promise<Outcome> {
  try {
    const text = begin()
    return text instanceof Promise ? text.catch((thrown: unknown) => ({ thrown })) : text
  } catch (thrown) {
    return { thrown }
  }
}

function isSettled(outcome: Outcome | Promise<Outcome>): outcome is Outcome {
  return !(outcome instanceof Promise)
}

/** Whether the place of the error, and which value becomes null for it, are more than an encoder can express. */
function isForEngines(thrown: unknown): boolean {
  return thrown instanceof Unencodable || thrown instanceof GraphQLError
}

/** A field whose read fails is null, with an error; it is not read again. Undefined if the engines must answer. */
function written(fields: readonly RootField[], outcomes: readonly Outcome[]): Written | undefined {
  const errors: GraphQLError[] = []
  const texts: string[] = []
  for (const [index, { key, nodes, nullable }] of fields.entries()) {
    const outcome = outcomes[index]
    if (typeof outcome === 'string') {
      texts.push(`"${key}":${outcome}`)
      continue
    }
    if (!nullable || isForEngines(outcome?.thrown)) return undefined
    errors.push(locatedError(outcome?.thrown, nodes, [key]))
    texts.push(`"${key}":null`)
  }
  return { data: `{${texts.join(',')}}`, answered: errors.length < fields.length, errors }
}

/** The text of a field without its alias. */
function withoutKey(nodes: readonly FieldNode[]): string {
  return nodes.map(({ alias: _, ...node }) => print(node)).join(' ')
}

/** Whether every field of the operation can be encoded. */
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
