// Serves the operations that a caller may use as tools of the Model Context Protocol, at `/mcp`.

import type { Method } from '../../http/route.ts'
import type { Plugin } from '../plugin.ts'
import { AGENT_TOOLS, SUBSCRIPTION_LIMITS } from '../services.ts'
import { checkOrigin } from './check-origin.ts'
import { createEndpoint } from './endpoint.ts'

const PATH = '/mcp'
/** Clients of the revisions of 2025 wait for changes with GET, and end sessions, which is refused in the protocol's words. */
const METHODS: readonly Method[] = ['POST', 'GET', 'DELETE']

export const mcpPlugin: Plugin = {
  name: 'mcp',
  enable: ({ config: { edit }, whole }) => ({
    contribution: { plugin: 'mcp', contentTypes: {} },
    addresses: [PATH],
    activate({ guard, callable, onFault, get, need }) {
      const isEditor = edit ?? whole.server.environment === 'development'
      const endpoint = createEndpoint({
        ...{ guard, onFault },
        limits: need(SUBSCRIPTION_LIMITS),
        title: whole.name ?? 'cms-run',
        operations: callable,
        listTools: async () => (isEditor ? ((await get(AGENT_TOOLS)?.()) ?? []) : []),
      })
      return {
        routes: METHODS.map((method) => ({
          ...{ method, path: PATH, face: 'mcp', undocumented: true },
          handler(request) {
            checkOrigin(request, whole.server)
            return endpoint.respond(request)
          },
        })),
        retire: endpoint.close,
      }
    },
  }),
}
