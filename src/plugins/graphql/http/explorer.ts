// Serves GraphiQL to browsers that open the endpoint.

import type { Reply } from '../../../http/reply.ts'
import type { HttpRequest } from '../../../http/request.ts'
import type { Route } from '../../../http/route.ts'
import { buildGraphiqlPage, getGraphiqlFolder } from '../../graphiql-page.ts'
import { explorerFiles, readExplorerFile } from './explorer-files.ts'

export interface Explorer {
  /** Undefined unless a browser that accepts HTML sent the request. */
  pageFor(request: HttpRequest): Reply | undefined
  routes(endpoint: string): readonly Route[]
}

const FOR_A_DAY = { 'cache-control': 'public, max-age=86400' }

export function createExplorer(endpoint: string): Explorer {
  const folder = getGraphiqlFolder(endpoint)
  const page = buildGraphiqlPage({
    endpoint,
    title: 'GraphQL explorer',
    style: '',
    waiting: 'Loading the explorer …',
    start: `<script src="${folder}/explorer.js"></script>`,
    framedBy: 'none',
  })
  return {
    pageFor: (request) => (request.header('accept')?.includes('text/html') === true ? page : undefined),
    routes: () => [
      {
        method: 'GET',
        path: `${folder}/explorer.js`,
        undocumented: true,
        handler: () => ({
          status: 200,
          body: script,
          contentType: 'text/javascript; charset=utf-8',
          headers: { 'cache-control': 'no-cache' },
        }),
      },
      ...explorerFiles.map(
        (file): Route => ({
          method: 'GET',
          path: `${folder}/${file.name}`,
          undocumented: true,
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

/** Users enter tokens in the headers tab; the browser stores them only if the user enables that. */
const script = `const given = new URLSearchParams(location.search)
const welcome = \`# Write a query here, and run it with Ctrl-Enter.
# The book on the left shows the schema. A token goes into the headers tab below:
# { "Authorization": "Bearer <token>" }

\`
ReactDOM.createRoot(document.getElementById('explorer')).render(
  React.createElement(GraphiQL, {
    fetcher: GraphiQL.createFetcher({ url: location.pathname }),
    query: given.get('query') ?? undefined,
    variables: given.get('variables') ?? undefined,
    defaultQuery: welcome,
    defaultEditorToolsVisibility: 'headers',
    isHeadersEditorEnabled: true,
  }),
)
`
