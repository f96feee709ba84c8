// src/ -> dist/: the command line and the package's face bundled with the small libraries they use, declarations,
// and the licences of what was bundled.

import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Metafile } from 'esbuild'
import { explorerFiles } from '../src/plugins/graphql/http/explorer-files.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/** Stay packages of their own: binaries, WebAssembly, and what users' code shares with ours (decision 0006). */
const external = [
  'uWebSockets.js',
  'sql.js',
  'libsql',
  'libsql/promise',
  'graphql',
  'nexus',
  'graphql-jit',
  'tsx',
  '@node-rs/argon2',
  're2js',
  'esbuild',
  'libsql',
  'nexus',
  'sharp',
  '@aws-sdk/client-s3',
]

rmSync(join(root, 'dist'), { recursive: true, force: true })
const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  external,
  metafile: true,
  legalComments: 'none',
} as const

const face = await build({
  ...common,
  entryPoints: { index: 'src/index.ts' },
  outdir: 'dist',
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  format: 'esm',
  // CommonJS libraries in an ES module bundle still call `require` for Node's own modules.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
})

// The command line is one script, so that its bytecode can be kept: see cli-loader.js.
const commandLine = await build({
  ...common,
  entryPoints: { cli: 'src/cli/bin.ts' },
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  // A script that comes from kept bytecode has no `import()`: what it loads late, it requires.
  supported: { 'dynamic-import': false },
  define: { 'import.meta.url': '__fileUrl' },
  banner: { js: "const __fileUrl = require('node:url').pathToFileURL(__filename).href;" },
})
// What parses large files beside the server is a script of its own (src/config/parse-aside.ts).
const thread = await build({
  ...common,
  entryPoints: { 'yaml-thread': 'src/config/yaml-thread.ts' },
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
})
cpSync(join(root, 'scripts/cli-loader.js'), join(root, 'dist/cli.js'))
execFileSync(
  process.execPath,
  [join(root, 'dist/cli.js'), join(root, 'cms.yaml'), '--port', '0', '--no-watch'],
  {
    env: { ...process.env, CMS_RUN_CODE_CACHE: 'write', NODE_ENV: 'production' },
    stdio: 'ignore',
  },
)

const metafile: Metafile = {
  inputs: { ...face.metafile.inputs, ...commandLine.metafile.inputs, ...thread.metafile.inputs },
  outputs: {},
}
writeFileSync(join(root, 'dist/THIRD-PARTY-LICENSES.txt'), licences(metafile))
execFileSync(
  process.execPath,
  [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'tsconfig.build.json')],
  {
    stdio: 'inherit',
  },
)

copyDeclarations()
copyExplorer()

/** Declarations that are written by hand or generated are not emitted. */
function copyDeclarations(): void {
  const src = join(root, 'src')
  for (const file of readdirSync(src, { recursive: true, encoding: 'utf8' })) {
    if (file.endsWith('.d.ts')) cpSync(join(src, file), join(root, 'dist/types', file))
  }
}

/** What the explorer's page loads, served from the package (src/plugins/graphql/http/explorer-files.ts). */
function copyExplorer(): void {
  for (const { name, source } of explorerFiles) {
    cpSync(join(root, 'node_modules', source), join(root, 'dist/explorer', name))
  }
}

/** GraphiQL's script holds what it depends on: the packages whose licences go with it. */
function explorerPackages(): ReadonlySet<string> {
  const found = new Set<string>()
  const add = (name: string): void => {
    const folder = `node_modules/${name}`
    if (found.has(folder) || !existsSync(join(root, folder, 'package.json'))) return
    found.add(folder)
    const { dependencies = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
      readonly dependencies?: Readonly<Record<string, string>>
    }
    for (const dependency of Object.keys(dependencies)) add(dependency)
  }
  for (const { source } of explorerFiles) add(source.split('/')[0] ?? '')
  return found
}

/**
 * The licence of every package that has a part in the bundles; one of them without a text of its licence is a fault. Some
 * of the explorer's have none in their package: there its name has to do.
 */
function licences({ inputs }: Metafile): string {
  const explorer = explorerPackages()
  const folders = new Set<string>(explorer)
  for (const input of Object.keys(inputs)) {
    const folder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input)?.[0]
    if (folder !== undefined) folders.add(folder)
  }
  return [...folders]
    .sort()
    .map((folder) => licenceOf(folder, explorer.has(folder)))
    .join(`\n${'-'.repeat(80)}\n\n`)
}

function licenceOf(folder: string, optional: boolean): string {
  const path = join(root, folder)
  const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as {
    name: string
    version: string
    license: string
  }
  return `${name} ${version} (${license})\n\n${licenceText(path, optional)}\n`
}

/** From a file of its own, or the section of the README where some packages keep it. */
function licenceText(path: string, optional: boolean): string {
  const files = readdirSync(path)
  const file = files.find((candidate) => /^licen[cs]e(\.(md|txt))?$/i.test(candidate))
  if (file !== undefined) return readFileSync(join(path, file), 'utf8').trim()
  const readme = files.find((candidate) => /^readme(\.md)?$/i.test(candidate))
  const text = readme === undefined ? '' : readFileSync(join(path, readme), 'utf8')
  const section = /^#+ licen[cs]e\s*\n([\s\S]*?)(?=^#|$(?![\s\S]))/im.exec(text)?.[1]?.trim()
  if (section !== undefined && section.length >= 100) return section
  if (!optional) throw new Error(`${path} has no text of its licence`)
  return 'The package holds no text of it.'
}
