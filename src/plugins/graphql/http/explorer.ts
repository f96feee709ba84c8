// The explorer: GraphiQL for browsers that open the endpoint. All its files come from this server, and its CSP allows
// connections to this server only.

import type { Reply } from '../../../http/reply.ts'
import type { HttpRequest } from '../../../http/request.ts'
import type { Route } from '../../../http/route.ts'
import { explorerFiles, readExplorerFile } from './explorer-files.ts'
import { explorerPage, explorerScript } from './explorer-page.ts'

export interface Explorer {
  /** The page for a request from a browser that accepts HTML; undefined for other requests. */
  pageFor(request: HttpRequest): Reply | undefined
  routes(endpoint: string): readonly Route[]
}

/** Scripts only from this server; inline styles are allowed, because the editor sets them as it draws. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  'font-src data:',
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const FOR_A_DAY = { 'cache-control': 'public, max-age=86400' }

export function createExplorer(endpoint: string): Explorer {
  const folder = `${endpoint}/explorer`
  const page: Reply = {
    status: 200,
    body: explorerPage(folder),
    contentType: 'text/html; charset=utf-8',
    headers: { 'content-security-policy': POLICY, 'cache-control': 'no-cache' },
  }
  return {
    pageFor: (request) => (request.header('accept')?.includes('text/html') === true ? page : undefined),
    routes: () => [
      {
        method: 'GET',
        path: `${folder}/explorer.js`,
        handler: () => ({
          status: 200,
          body: explorerScript,
          contentType: 'text/javascript; charset=utf-8',
          headers: { 'cache-control': 'no-cache' },
        }),
      },
      ...explorerFiles.map(
        (file): Route => ({
          method: 'GET',
          path: `${folder}/${file.name}`,
          handler: async () => ({
            status: 200,
            body: await readExplorerFile(file),
            contentType: file.contentType,
            headers: FOR_A_DAY,
          }),
        }),
      ),
    ],
  }
}
