// Finds values of secret inputs in the document and variables, which errors must not repeat. Called only for
// errors.

import {
  type ConstValueNode,
  type DocumentNode,
  GraphQLError,
  Kind,
  parse,
  type ValueNode,
  visit,
} from 'graphql'
import { hideTexts, listTexts, listTextsUnder } from '../../../lib/hide-texts.ts'
import type { OperationRequest } from './operations.ts'

export type IsSecretName = (name: string) => boolean

export function withoutSecrets(
  errors: readonly GraphQLError[],
  { query, variables = {} }: OperationRequest,
  maxTokens: number,
  isSecret: IsSecretName,
): readonly GraphQLError[] {
  const texts = listTextsUnder(variables, isSecret)
  const document = parsed(query, maxTokens)
  if (document !== undefined) addDocument(document, variables, isSecret, texts)
  return errors.map((error) => {
    const message = hideTexts(error.message.replace(TOKEN, '$1'), texts)
    if (message === error.message) return error
    const { nodes = null, source = null, positions = null, path = null, extensions } = error
    return new GraphQLError(message, { nodes, source, positions, path, extensions })
  })
}

/** After a syntax error input names are unknown, so the token is always removed. */
const TOKEN = /^(Syntax Error: [^"]*\b(?:String|BlockString|Int|Float)) ".*"(?=\.$)/s

function parsed(query: string, maxTokens: number): DocumentNode | undefined {
  try {
    return parse(query, { maxTokens, noLocation: true })
  } catch {
    return undefined
  }
}

function addDocument(
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
  isSecret: IsSecretName,
  texts: Set<string>,
): void {
  const named = new Set<string>()
  const look = (node: {
    readonly name: { readonly value: string }
    readonly value: ValueNode
  }): false | undefined => {
    if (!isSecret(node.name.value)) return undefined
    addValue(node.value, texts, named)
    return false
  }
  visit(document, { Argument: look, ObjectField: look })
  for (const name of named) listTexts(variables[name], texts)
  visit(document, {
    VariableDefinition({ variable, defaultValue }) {
      const secret = named.has(variable.name.value) || isSecret(variable.name.value)
      if (secret && defaultValue !== undefined) addValue(defaultValue, texts, named)
    },
  })
}

function addValue(value: ValueNode | ConstValueNode, texts: Set<string>, variables: Set<string>): void {
  visit(value, {
    enter(node) {
      if (node.kind === Kind.INT || node.kind === Kind.FLOAT)
        listTexts([node.value, Number(node.value)], texts)
      else if (node.kind === Kind.STRING || node.kind === Kind.ENUM || node.kind === Kind.BOOLEAN)
        listTexts(node.value, texts)
      else if (node.kind === Kind.OBJECT_FIELD) listTexts(node.name.value, texts)
      else if (node.kind === Kind.VARIABLE) variables.add(node.name.value)
    },
  })
}
