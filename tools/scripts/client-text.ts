// src/client/ -> the text that `cms-run types` and `cms-run client` write beside their declarations: one module without
// imports. It is kept as text because the package holds no sources.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** In the order in which they are read. */
const typesOnly = ['queries', 'responses', 'content-shape', 'inputs']
const withClient = ['api-client', 'routes', 'document-routes', 'many-routes', 'query-text']

export function clientTextModule(root: string): string {
  const textOf = (names: readonly string[]): string =>
    JSON.stringify(
      names.map((name) => partOf(readFileSync(join(root, `src/client/${name}.ts`), 'utf8'))).join('\n'),
    )
  return `// Generated from src/client/ by \`npm run generate\`; do not edit.

/** Types only. */
export const clientTypes: string = ${textOf(typesOnly)}

/** The client, which uses the types. */
export const clientText: string = ${textOf(withClient)}
`
}

/** Without the comment at the top and the imports. */
function partOf(source: string): string {
  return source
    .replace(/^(?:\/\/.*\n)+/, '')
    .replace(/^import type [\s\S]*? from '.*'\n|^import .* from '.*'\n/gm, '')
    .trimStart()
}
