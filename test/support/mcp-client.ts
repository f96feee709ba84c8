// The official client of the Model Context Protocol at the endpoint of a CMS, without a socket.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Cms } from '../../src/index.ts'

export interface ToolAnswer {
  readonly isError: boolean
  /** The texts of the result: the response, and notes behind it. */
  readonly texts: readonly string[]
}

export interface McpClient {
  readonly client: Client
  tool(name: string, given?: Readonly<Record<string, unknown>>): Promise<ToolAnswer>
  read(uri: string): Promise<string>
}

export type Era = 'legacy' | '2026-07-28'

export async function connectMcp(cms: Cms, token = '', era: Era = '2026-07-28'): Promise<McpClient> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: era } } },
  )
  const headers: Record<string, string> = token === '' ? {} : { authorization: `Bearer ${token}` }
  await client.connect(
    new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
      fetch: cms.fetch,
      requestInit: { headers },
    }),
  )
  return wrapClient(client)
}

export function wrapClient(client: Client): McpClient {
  return {
    client,
    async tool(name, given = {}) {
      const { content, isError = false } = await client.callTool({ name, arguments: given })
      return { isError, texts: content.map((one) => ('text' in one ? String(one.text) : '')) }
    },
    async read(uri) {
      const { contents } = await client.readResource({ uri })
      return contents.map((one) => ('text' in one ? one.text : '')).join('')
    },
  }
}
