// The page of GraphiQL, for the explorer of the GraphQL plugin and for the frame of the console. All its files come from
// this server, and its policy allows connections to this server only.

import type { Reply } from '../http/reply.ts'

/** The path of GraphiQL's files. */
export function graphiqlFolder(endpoint: string): string {
  return `${endpoint}/explorer`
}

interface GraphiqlPage {
  /** Paths of endpoints contain no character that has a meaning in HTML. */
  readonly endpoint: string
  readonly title: string
  readonly style: string
  /** The text until the script has run. */
  readonly waiting: string
  /** The tag of the script that starts it. */
  readonly start: string
  readonly framedBy: 'none' | 'self'
  readonly headers?: Reply['headers']
}

export function graphiqlPage(page: GraphiqlPage): Reply {
  const { endpoint, title, style, waiting, start, framedBy, headers } = page
  const folder = graphiqlFolder(endpoint)
  return {
    status: 200,
    contentType: 'text/html; charset=utf-8',
    headers: { ...headers, 'content-security-policy': policy(framedBy), 'cache-control': 'no-cache' },
    body: `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${folder}/graphiql.css">
    <style>html, body, #explorer { height: 100%; margin: 0 }${style}</style>
  </head>
  <body>
    <div id="explorer" data-endpoint="${endpoint}">${waiting}</div>
    <script src="${folder}/react.js"></script>
    <script src="${folder}/react-dom.js"></script>
    <script src="${folder}/graphiql.js"></script>
    ${start}
  </body>
</html>
`,
  }
}

/** No inline script; inline styles are allowed, because the editor sets them as it draws. */
function policy(framedBy: GraphiqlPage['framedBy']): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    'font-src data:',
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors '${framedBy}'`,
  ].join('; ')
}
