// GraphiQL as a frame of the page Ask: the files of the GraphQL plugin's explorer, with a script of the console that asks
// in somebody's name.

import type { Reply } from '../http/reply.ts'
import type { Place } from './console-parts.ts'
import { ASSETS, CONSOLE_HEADERS, type Entrance } from './page.ts'

export const GRAPHIQL = '/_console/graphiql'

/** Inline styles are allowed, because the editor sets them as it draws. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  'font-src data:',
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

/** The path of the explorer's files; undefined where there is none, as in production. */
export function explorerOf({ graphqlEndpoint, routes }: Place): string | undefined {
  const folder = `${graphqlEndpoint}/explorer`
  return routes.some(({ path }) => path === `${folder}/graphiql.js`) ? folder : undefined
}

export function graphiqlReply({ graphiql }: Entrance, folder: string, endpoint: string): Reply {
  return {
    status: 200,
    contentType: 'text/html; charset=utf-8',
    headers: {
      ...CONSOLE_HEADERS,
      'content-security-policy': POLICY,
      'x-frame-options': 'SAMEORIGIN',
      'cache-control': 'no-cache',
    },
    body: `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>GraphiQL</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${folder}/graphiql.css">
    <style>
      html, body, #explorer { height: 100%; margin: 0 }
      @media (max-width: 640px) {
        .graphiql-session { flex-direction: column }
        .graphiql-container .graphiql-sidebar { display: none }
      }
    </style>
  </head>
  <body>
    <div id="explorer" data-endpoint="${endpoint}"></div>
    <script src="${folder}/react.js"></script>
    <script src="${folder}/react-dom.js"></script>
    <script src="${folder}/graphiql.js"></script>
    <script type="module" src="${ASSETS}/${graphiql}"></script>
  </body>
</html>
`,
  }
}
