// Declares tools for agents that are no operations of content-types, such as those that edit the file.

import type { JsonSchema } from './openapi-operation.ts'

export interface AgentTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly effect: 'read' | 'write'
  /** Resolves with a text for the agent. Throws ToolFault. */
  run(given: Readonly<Record<string, unknown>>): Promise<string>
}

/** Is shown to the agent: the message says what is wrong and what to do. */
export class ToolFault extends Error {}
