// The console's one page. It has no inline script or style, so that the policy can forbid them.

import type { Reply } from '../http/reply.ts'

export const ASSETS = '/_console/assets'

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export const CONSOLE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

export interface Entrance {
  readonly script: string
  readonly style: string
  readonly graphiql: string
}

export function buildPageReply({ script, style }: Entrance): Reply {
  return {
    status: 200,
    contentType: 'text/html; charset=utf-8',
    headers: { ...CONSOLE_HEADERS, 'cache-control': 'no-cache', vary: 'accept' },
    body: `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>cms-run console</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${ASSETS}/${style}">
    <script type="module" src="${ASSETS}/${script}"></script>
  </head>
  <body>
    <div id="console"><p>Loading the console …</p></div>
    <noscript>The console needs JavaScript; the API does not.</noscript>
  </body>
</html>
`,
  }
}
