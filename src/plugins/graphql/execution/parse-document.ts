// Parses and checks a document, cheapest first: size, tokens, syntax, limits and validation.

import {
  type ASTVisitor,
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  type ValidationContext,
  type ValidationRule,
  validate,
} from 'graphql'
import { checkDocument } from './check-document.ts'
import type { OperationLimits } from './operation-limits.ts'

interface ParseOptions {
  readonly schema: GraphQLSchema
  readonly limits: OperationLimits
  readonly introspection: boolean
  readonly refusedIntrospection?: string | undefined
  readonly suggestions: boolean
}

export interface DocumentFacts {
  readonly document: DocumentNode
  readonly operations: readonly OperationDefinitionNode[]
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>
  readonly fields: number
  /** Mutations whose fields are written in one transaction. */
  readonly transactions: ReadonlySet<OperationDefinitionNode>
}

export type ParsedDocument =
  | { readonly ok: true; readonly known: DocumentFacts }
  | { readonly ok: false; readonly code: RefusalCode; readonly errors: readonly GraphQLError[] }

type RefusalCode = 'GRAPHQL_PARSE_FAILED' | 'GRAPHQL_VALIDATION_FAILED'

interface ParseClock {
  parsed(): void
}

export function parseDocument(
  text: string,
  { schema, limits, introspection, refusedIntrospection, suggestions }: ParseOptions,
  clock?: ParseClock,
): ParsedDocument {
  if (text.length > limits.size) {
    const error = new GraphQLError(`the document is longer than ${limits.size} characters`)
    return { ok: false, code: 'GRAPHQL_PARSE_FAILED', errors: [error] }
  }
  let document: DocumentNode
  try {
    document = parse(text, { maxTokens: limits.tokens })
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    return { ok: false, code: 'GRAPHQL_PARSE_FAILED', errors: [error] }
  }
  clock?.parsed()
  const taken = takeTransactions(document)
  document = taken.document
  const { faults, fields } = checkDocument(document, limits)
  if (faults.length > 0) return { ok: false, code: 'GRAPHQL_VALIDATION_FAILED', errors: faults }
  const rules = introspection ? specifiedRules : [...specifiedRules, noIntrospection(refusedIntrospection)]
  // graphql-js adds an error about further errors.
  const maxErrors = limits.errors - 1
  const errors = validate(schema, document, rules, { maxErrors, hideSuggestions: !suggestions })
  if (errors.length > 0) return { ok: false, code: 'GRAPHQL_VALIDATION_FAILED', errors }
  const { transactions } = taken
  return { ok: true, known: { document, fields, transactions, ...getDefinitions(document) } }
}

const TRANSACTION = 'transaction'

/**
 * Takes `@transaction` off mutations. It is no directive of the schema, because Strapi's schema, which clients compare and
 * generate code from, does not have it.
 */
function takeTransactions(document: DocumentNode): Pick<DocumentFacts, 'document' | 'transactions'> {
  const transactions = new Set<OperationDefinitionNode>()
  const definitions = document.definitions.map((node) => {
    if (node.kind !== Kind.OPERATION_DEFINITION || node.operation !== 'mutation') return node
    const directives = node.directives?.filter(
      ({ name, arguments: given = [] }) => name.value !== TRANSACTION || given.length > 0,
    )
    if (directives === undefined || directives.length === (node.directives?.length ?? 0)) return node
    const taken: OperationDefinitionNode = { ...node, directives }
    transactions.add(taken)
    return taken
  })
  return transactions.size === 0
    ? { document, transactions }
    : { document: { ...document, definitions }, transactions }
}

function getDefinitions({ definitions }: DocumentNode): Pick<DocumentFacts, 'operations' | 'fragments'> {
  const operations: OperationDefinitionNode[] = []
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null)
  for (const node of definitions) {
    if (node.kind === Kind.OPERATION_DEFINITION) operations.push(node)
    else if (node.kind === Kind.FRAGMENT_DEFINITION) fragments[node.name.value] = node
  }
  return { operations, fragments }
}

function noIntrospection(validationErrorCode: string | undefined): ValidationRule {
  const extensions = validationErrorCode === undefined ? {} : { validationErrorCode }
  return (context: ValidationContext): ASTVisitor => ({
    Field(node) {
      const name = node.name.value
      if (name !== '__schema' && name !== '__type') return
      const message =
        'GraphQL introspection is not allowed here, but the query contained __schema or __type. To enable it, set plugins.graphql.config.apolloServer.introspection to true'
      context.reportError(new GraphQLError(message, { nodes: node, extensions }))
    },
  })
}
