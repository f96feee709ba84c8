// Serves GraphiQL for the page Ask: the GraphQL plugin's files, with a script that sends requests as a chosen
// caller.

import type { Reply } from '../http/reply.ts'
import { buildGraphiqlPage, getGraphiqlFolder } from '../plugins/graphiql-page.ts'
import type { LiveApp } from './console-context.ts'
import { ASSETS, CONSOLE_HEADERS, type Entrance } from './page.ts'

export const GRAPHIQL = '/_console/graphiql'

const ON_SMALL_SCREENS = `
      @media (max-width: 640px) {
        .graphiql-session { flex-direction: column }
        .graphiql-container .graphiql-sidebar { display: none }
      }
    `

/** In production the files are absent. */
export function hasExplorer({ graphqlEndpoint, routes }: LiveApp): boolean {
  if (graphqlEndpoint === undefined) return false
  const needed = `${getGraphiqlFolder(graphqlEndpoint)}/graphiql.js`
  return routes.some(({ path }) => path === needed)
}

export function buildGraphiqlReply({ graphiql }: Entrance, endpoint: string): Reply {
  return buildGraphiqlPage({
    endpoint,
    title: 'GraphiQL',
    style: ON_SMALL_SCREENS,
    waiting: '',
    start: `<script type="module" src="${ASSETS}/${graphiql}"></script>`,
    framedBy: 'self',
    headers: { ...CONSOLE_HEADERS, 'x-frame-options': 'SAMEORIGIN' },
  })
}
