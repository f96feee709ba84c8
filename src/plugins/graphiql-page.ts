// GraphiQL's page. All files come from this server, and its policy allows connections to this server only.

import type { Reply } from '../http/reply.ts'

export function getGraphiqlFolder(endpoint: string): string {
  return `${endpoint}/explorer`
}

interface GraphiqlPage {
  /** Endpoint paths contain no character special in HTML. */
  readonly endpoint: string
  readonly title: string
  readonly style: string
  readonly waiting: string
  readonly start: string
  readonly framedBy: 'none' | 'self'
  readonly headers?: Reply['headers']
}

export function buildGraphiqlPage(page: GraphiqlPage): Reply {
  const { endpoint, title, style, waiting, start, framedBy, headers } = page
  const folder = getGraphiqlFolder(endpoint)
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

/** Forbids inline scripts, but allows inline styles, which the editor sets. */
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
