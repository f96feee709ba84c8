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

/** Its message, with the fault and the remedy, is shown to the agent. */
export class ToolFault extends Error {}
