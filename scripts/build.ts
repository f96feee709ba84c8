// src/ -> dist/: the command line and the package's face bundled with the small libraries they use, declarations,
// and the licences of what was bundled.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Metafile } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/** Stay packages of their own: binaries, WebAssembly, and what users' code shares with ours (decision 0006). */
const external = ['uWebSockets.js', 'sql.js', 'graphql', 'graphql-jit', 'tsx', '@node-rs/argon2', 'esbuild']

rmSync(join(root, 'dist'), { recursive: true, force: true })
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: { cli: 'src/cli/bin.ts', index: 'src/index.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external,
  metafile: true,
  legalComments: 'none',
  // CommonJS libraries in an ES module bundle still call `require` for Node's own modules.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
})
writeFileSync(join(root, 'dist/THIRD-PARTY-LICENSES.txt'), licences(metafile))
execFileSync(
  process.execPath,
  [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'tsconfig.build.json')],
  {
    stdio: 'inherit',
  },
)

function licences({ inputs }: Metafile): string {
  const packages = new Set<string>()
  for (const input of Object.keys(inputs)) {
    const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]
    if (name !== undefined) packages.add(name)
  }
  return [...packages]
    .sort()
    .map((name) => {
      const folder = join(root, 'node_modules', name)
      const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
        version: string
        license: string
      }
      const file = [
        'LICENSE',
        'LICENSE.md',
        'LICENSE.txt',
        'license',
        'LICENCE',
        'License.md',
        'license.md',
      ].find((candidate) => existsSync(join(folder, candidate)))
      const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8')
      return `${name} ${version} (${license})\n\n${text.trim()}\n`
    })
    .join(`\n${'-'.repeat(80)}\n\n`)
}
