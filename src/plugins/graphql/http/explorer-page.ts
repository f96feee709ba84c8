// The explorer's page and the script that starts it: no inline script, so that its policy can forbid them.

/** `folder`: where its files are served. Paths of endpoints hold no character that HTML knows. */
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

/** Tokens go into the headers tab; they are kept in the browser only where its user says so in the settings. */
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
