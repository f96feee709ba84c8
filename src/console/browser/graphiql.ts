// GraphiQL in a frame of the page Ask. The fragment of the frame's URL holds the caller and the first query.

import { ask } from './server.ts'

interface FetchRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** Globals of GraphiQL's scripts. */
declare const React: { createElement(type: unknown, props: object): unknown }
declare const ReactDOM: { createRoot(element: Element): { render(drawn: unknown): void } }
declare const GraphiQL: { createFetcher(options: FetchRequest): (...given: unknown[]) => unknown }

function given(name: string): string {
  return new URLSearchParams(location.hash.slice(1)).get(name) ?? ''
}

const root = document.getElementById('explorer')
const url = root?.dataset['endpoint'] ?? ''

async function fetcher(...asked: unknown[]): Promise<unknown> {
  const { token } = await ask<{ token?: string }>('token', { as: given('as') })
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return GraphiQL.createFetcher({ url, headers })(...asked)
}

if (root !== null)
  ReactDOM.createRoot(root).render(
    React.createElement(GraphiQL, { fetcher, query: given('query'), isHeadersEditorEnabled: false }),
  )
