// Bundles `browser/` into the files of the pages, with a hash in each name.

import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Metafile } from 'esbuild'
import type { Entrance } from './page.ts'

interface BundledPages {
  readonly entrance: Entrance
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly metafile: Metafile
}

export async function bundlePages(
  root = fileURLToPath(new URL('../../', import.meta.url)),
): Promise<BundledPages> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/console/browser/main.tsx', 'src/console/browser/graphiql.ts'],
    outdir: 'dist/console',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    legalComments: 'none',
    write: false,
    metafile: true,
  })
  const files = new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]))
  const named = (start: string, end: string): string =>
    [...files.keys()].find((name) => name.startsWith(start) && name.endsWith(end)) ?? ''
  const entrance = {
    script: named('main-', '.js'),
    style: named('main-', '.css'),
    graphiql: named('graphiql-', '.js'),
  }
  return { entrance, files, metafile }
}
