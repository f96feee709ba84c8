// The tools of a caller: one for each operation on each content-type, or, beyond twenty content-types, one for each operation
// with the content-type as an argument.

import type { Tool } from '@modelcontextprotocol/server'
import { didYouMean } from '../../lib/did-you-mean.ts'
import { groupBy } from '../../lib/group-by.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { OperationShape } from '../../model/actions.ts'
import type { ContentType } from '../../model/content-type.ts'
import type { CallableOperation, OperationCalls, OperationInput } from '../../operations/operation-calls.ts'
import { type AgentTool, ToolFault } from '../agent-tools.ts'
import type { JsonSchema } from '../openapi-operation.ts'
import { buildAnnotations, describeTool } from './tool-texts.ts'

export type DescribeInput = (type: ContentType, shape: OperationShape) => JsonSchema
export type Can = (permission: string) => boolean

/** A call of an operation, an answer that needs none, or the work of another tool. */
type ToolUse =
  | { readonly operation: CallableOperation; readonly input: OperationInput }
  | { readonly text: string }
  | { readonly run: () => Promise<string> }

export interface Toolbox {
  list(can: Can): readonly Tool[]
  listOperations(can: Can): readonly CallableOperation[]
  /** Throws ToolFault for a tool that the caller does not have, or for arguments that it does not take. */
  use(name: string, given: Readonly<Record<string, unknown>>, can: Can): ToolUse
}

/** No role can be given it: only callers who may do everything have it. */
const EDIT_FILE = 'edit the file'

/** Content-types that may have tools of their own, and characters of a list of tools. */
const MAX_TYPES = 20
const MAX_LIST_LENGTH = 20_000
/** Clients refuse longer names of tools. */
const MAX_NAME_LENGTH = 64
/** Entries of one result. */
const MAX_ENTRIES = 100
const DESCRIBE = 'describe'

/** An operation with the tool that it is if its content-type has tools of its own. */
interface OwnTool {
  readonly operation: CallableOperation
  readonly tool: Tool
  readonly length: number
}

export function createToolbox(
  { all }: OperationCalls,
  describeInput: DescribeInput,
  /** For callers who may do everything. */
  moreTools: readonly AgentTool[] = [],
): Toolbox {
  const known = new Map<CallableOperation, OwnTool>()
  const getTool = (operation: CallableOperation): OwnTool => {
    const own = known.get(operation) ?? buildTool(operation, describeInput)
    known.set(operation, own)
    return own
  }
  const listOperations = (can: Can): readonly CallableOperation[] =>
    all.filter(({ permission }) => can(permission))

  /** Undefined if they are too many, or if the caller edits the file: names then stay while content-types change. */
  function listOwnTools(operations: readonly CallableOperation[], can: Can): readonly OwnTool[] | undefined {
    if (moreTools.length > 0 && can(EDIT_FILE)) return undefined
    if (new Set(operations.map(({ type }) => type)).size > MAX_TYPES) return undefined
    const tools = operations.map(getTool)
    const length = tools.reduce((sum, one) => sum + one.length, 0)
    const isNamed = tools.every(({ tool }) => tool.name.length <= MAX_NAME_LENGTH)
    return isNamed && length <= MAX_LIST_LENGTH ? tools : undefined
  }

  return {
    listOperations,
    list(can) {
      const operations = listOperations(can)
      const own =
        listOwnTools(operations, can)?.map(({ tool }) => tool) ?? listByAction(operations.map(getTool))
      return can(EDIT_FILE) ? [...own, ...moreTools.map(describeOther)] : own
    },
    use(name, given, can) {
      const other = can(EDIT_FILE) ? moreTools.find((one) => one.name === name) : undefined
      if (other !== undefined) {
        checkArguments(name, given, describeOther(other).inputSchema)
        return { run: () => other.run(given) }
      }
      const operations = listOperations(can)
      const tools = listOwnTools(operations, can)
      if (tools !== undefined) {
        const own = tools.find(({ tool }) => tool.name === name)
        if (own !== undefined) return readUse(own, given)
        const names = tools.map(({ tool }) => tool.name)
        throw unknownTool(name, names)
      }
      const { type, ...others } = given
      if (name === DESCRIBE) return { text: describe(type, operations, getTool) }
      const ofAction = operations.filter(({ shape }) => shape.action === name)
      if (ofAction.length === 0)
        throw unknownTool(name, [DESCRIBE, ...operations.map(({ shape }) => shape.action)])
      const operation = ofAction.find((one) => nameType(one) === type)
      if (operation === undefined) throw unknownType(type, ofAction.map(nameType))
      return readUse(getTool(operation), others)
    },
  }
}

function buildTool(operation: CallableOperation, describeInput: DescribeInput): OwnTool {
  const { name, shape, type } = operation
  const tool: Tool = {
    name: name.replaceAll(/[^A-Za-z0-9_-]/g, '_'),
    description: describeTool(shape, type),
    inputSchema: describeInput(type, shape) as Tool['inputSchema'],
    annotations: buildAnnotations(shape),
  }
  return { operation, tool, length: JSON.stringify(tool).length }
}

function nameType({ name }: CallableOperation): string {
  return name.slice(0, name.lastIndexOf('.'))
}

function describeType(types: ReadonlySet<string>): JsonSchema {
  const listed = types.size <= MAX_TYPES && { enum: [...types] }
  return { type: 'string', description: `A content-type; "${DESCRIBE}" says more`, ...listed }
}

function listByAction(all: readonly OwnTool[]): readonly Tool[] {
  const type = describeType(new Set(all.map(({ operation }) => nameType(operation))))
  const actions = groupBy(all, ({ operation }) => operation.shape.action)
  const ofActions = [...actions].map(([name, group]): Tool => {
    const { shape } = group[0].operation
    return {
      name,
      description: describeTool(shape),
      inputSchema: joinInputs(type, group),
      annotations: buildAnnotations(shape),
    }
  })
  const describing: Tool = {
    name: DESCRIBE,
    description: 'Lists the content-types, or describes one: its operations, and the data that they take.',
    inputSchema: { type: 'object', properties: { type } } as Tool['inputSchema'],
    annotations: { readOnlyHint: true, openWorldHint: false },
  }
  return [describing, ...ofActions]
}

/** Of data only the kind is said: "describe" says more. */
function joinInputs(type: JsonSchema, group: readonly OwnTool[]): Tool['inputSchema'] {
  const properties = new Map<string, unknown>()
  for (const { tool } of group)
    for (const [name, schema] of Object.entries(tool.inputSchema.properties ?? {}))
      if (!properties.has(name)) properties.set(name, name === 'data' ? { description: 'The data' } : schema)
  return {
    type: 'object',
    properties: { type, ...Object.fromEntries(properties) },
    required: ['type', ...(group[0]?.tool.inputSchema.required ?? [])],
  } as Tool['inputSchema']
}

function describe(
  given: unknown,
  operations: readonly CallableOperation[],
  getTool: (operation: CallableOperation) => OwnTool,
): string {
  const types = groupBy(operations, nameType)
  if (given === undefined)
    return JSON.stringify([...types].map(([name, [{ type }]]) => ({ name, description: type.description })))
  const ofType = typeof given === 'string' ? types.get(given) : undefined
  if (ofType === undefined) throw unknownType(given, [...types.keys()])
  return JSON.stringify(
    Object.fromEntries(
      ofType.map((operation) => [operation.shape.action, getTool(operation).tool.inputSchema]),
    ),
  )
}

function readUse({ operation, tool }: OwnTool, given: Readonly<Record<string, unknown>>): ToolUse {
  return { operation, input: readInput(operation, given, tool.inputSchema) }
}

function readInput(
  { name, shape, type }: CallableOperation,
  given: Readonly<Record<string, unknown>>,
  schema: Tool['inputSchema'],
): OperationInput {
  checkArguments(name, given, schema)
  const { id, ...others } = given
  if (id !== undefined && typeof id !== 'string' && typeof id !== 'number')
    throw new ToolFault('"id" is a text or a whole number.')
  checkPage(others['pagination'])
  const members = new Set<string>(shape.takes.map((member) => (member === 'items' ? 'data' : member)))
  const split = (inBody: boolean): Record<string, unknown> =>
    Object.fromEntries(Object.entries(others).filter(([key]) => members.has(key) === inBody))
  const body = split(true)
  const isBare = shape.action === 'createLocalization' && type.document === undefined
  return {
    id: id === undefined ? undefined : String(id),
    query: split(false),
    body: isBare && isRecord(body['data']) ? body['data'] : body,
  }
}

function checkArguments(
  name: string,
  given: Readonly<Record<string, unknown>>,
  { properties = {}, required = [] }: Tool['inputSchema'],
): void {
  const known = Object.keys(properties)
  for (const key of Object.keys(given))
    if (!known.includes(key))
      throw new ToolFault(
        `${name} has no argument "${key.slice(0, 100)}"${suggest(key, known)}: it takes ${known.join(', ')}.`,
      )
  for (const key of required)
    if (given[key] === undefined) throw new ToolFault(`${name} needs the argument "${key}".`)
}

function describeOther({ name, description, inputSchema, effect }: AgentTool): Tool {
  const isRead = effect === 'read'
  return {
    ...{ name, description },
    inputSchema: inputSchema as Tool['inputSchema'],
    annotations: { readOnlyHint: isRead, ...(!isRead && { destructiveHint: true }), openWorldHint: false },
  }
}

function checkPage(pagination: unknown): void {
  if (!isRecord(pagination)) return
  for (const key of ['pageSize', 'limit']) {
    const size = Number(pagination[key] ?? 1)
    if (size < 0 || size > MAX_ENTRIES)
      throw new ToolFault(`"pagination.${key}" is at most ${MAX_ENTRIES}: ask for more pages.`)
  }
}

function unknownTool(name: string, known: readonly string[]): ToolFault {
  return new ToolFault(
    `There is no tool "${name.slice(0, 100)}" for this caller${suggest(name, known)}: "tools/list" names those that it may use.`,
  )
}

function unknownType(given: unknown, known: readonly string[]): ToolFault {
  const text = typeof given === 'string' ? given.slice(0, 100) : String(JSON.stringify(given)).slice(0, 100)
  return new ToolFault(
    `There is no content-type "${text}" here for this caller${suggest(text, known)}: "${DESCRIBE}" lists them.`,
  )
}

function suggest(word: string, known: readonly string[]): string {
  const near = didYouMean(word, known)
  return near === undefined ? '' : ` (did you mean "${near}"?)`
}
