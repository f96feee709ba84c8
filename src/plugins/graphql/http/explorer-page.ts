// The explorer's page and the script that starts it. There is no inline script, so that the CSP can forbid them.

/** `folder` is the path of its files. Paths of endpoints contain no character that has a meaning in HTML. */
export function explorerPage(folder: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>GraphQL explorer</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${folder}/graphiql.css">
    <style>html, body, #explorer { height: 100%; margin: 0 }</style>
  </head>
  <body>
    <div id="explorer">Loading the explorer …</div>
    <script src="${folder}/react.js"></script>
    <script src="${folder}/react-dom.js"></script>
    <script src="${folder}/graphiql.js"></script>
    <script src="${folder}/explorer.js"></script>
  </body>
</html>
`
}

/** The user enters tokens in the headers tab; the browser stores them only if the user enables that in the settings. */
export const explorerScript = `const given = new URLSearchParams(location.search)
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
