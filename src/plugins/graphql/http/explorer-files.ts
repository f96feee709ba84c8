// Finds the files of GraphiQL and React: compressed beside the script in a published package, in
// `node_modules` in a checkout.

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

interface ExplorerFile {
  readonly name: string
  readonly source: string
  readonly contentType: string
}

const unzip = promisify(gunzip)

const SCRIPT = 'text/javascript; charset=utf-8'

/** In the page's loading order; the build puts each into `dist/explorer`. */
export const explorerFiles: readonly ExplorerFile[] = [
  { name: 'graphiql.css', source: 'graphiql/graphiql.min.css', contentType: 'text/css; charset=utf-8' },
  { name: 'react.js', source: 'react/umd/react.production.min.js', contentType: SCRIPT },
  { name: 'react-dom.js', source: 'react-dom/umd/react-dom.production.min.js', contentType: SCRIPT },
  { name: 'graphiql.js', source: 'graphiql/graphiql.min.js', contentType: SCRIPT },
]

export async function readExplorerFile({ name, source }: ExplorerFile): Promise<Uint8Array> {
  const built = fileURLToPath(new URL(`./explorer/${name}.gz`, import.meta.url))
  if (existsSync(built)) return unzip(await readFile(built))
  const [pack = '', ...rest] = source.split('/')
  const manifest = createRequire(import.meta.url).resolve(`${pack}/package.json`)
  return readFile(join(manifest, '..', ...rest))
}
