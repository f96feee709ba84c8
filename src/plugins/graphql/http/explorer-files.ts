// The files of GraphiQL and React that the explorer is made of: beside the bundle in a published package, in the
// packages themselves in a checkout.

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface ExplorerFile {
  readonly name: string
  /** In node_modules. */
  readonly source: string
  readonly contentType: string
}

const SCRIPT = 'text/javascript; charset=utf-8'

/** In the order in which a page loads them; the build copies each into `dist/explorer`. */
export const explorerFiles: readonly ExplorerFile[] = [
  { name: 'graphiql.css', source: 'graphiql/graphiql.min.css', contentType: 'text/css; charset=utf-8' },
  { name: 'react.js', source: 'react/umd/react.production.min.js', contentType: SCRIPT },
  { name: 'react-dom.js', source: 'react-dom/umd/react-dom.production.min.js', contentType: SCRIPT },
  { name: 'graphiql.js', source: 'graphiql/graphiql.min.js', contentType: SCRIPT },
]

export function readExplorerFile(name: string): Promise<Uint8Array> {
  return readFile(pathOf(name))
}

function pathOf(name: string): string {
  // A bundle lies in `dist` or in `dist/chunks`.
  for (const folder of ['./explorer', '../explorer']) {
    const path = join(fileURLToPath(new URL(folder, import.meta.url)), name)
    if (existsSync(path)) return path
  }
  const file = explorerFiles.find((each) => each.name === name)
  const [pack = '', ...rest] = file?.source.split('/') ?? []
  const manifest = createRequire(import.meta.url).resolve(`${pack}/package.json`)
  return join(manifest, '..', ...rest)
}
