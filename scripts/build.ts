// src/ -> dist/: our sources as one script with its source map, the loader of the command line with the bytecode of that
// script, the face for programs, declarations, and the licences of what is in it that others wrote (decision 0121).

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Metafile } from 'esbuild'
import { explorerFiles } from '../src/plugins/graphql/http/explorer-files.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const dist = join(root, 'dist')

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const { dependencies, peerDependencies } = manifestOf(root)
const external = Object.keys({ ...dependencies, ...peerDependencies })

rmSync(dist, { recursive: true, force: true })
const { metafile, outputFiles } = await build({
  absWorkingDir: root,
  // One script for the command line and for programs: each begins where it is asked for.
  stdin: {
    resolveDir: root,
    contents: `
      exports.commandLine = () => require('./src/cli/bin.ts')
      exports.face = () => require('./src/index.ts')
      exports.yamlThread = () => require('./src/config/yaml-thread.ts')`,
  },
  outfile: 'dist/cms-run.cjs',
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  external,
  write: false,
  metafile: true,
  legalComments: 'none',
  minifySyntax: true,
  minifyWhitespace: true,
  lineLimit: 120,
  sourcemap: 'linked',
  sourcesContent: false,
  define: { 'import.meta.url': '__fileUrl' },
  banner: {
    js: `const __fileUrl = require('node:url').pathToFileURL(__filename).href;
const __load = globalThis[Symbol.for('cms-run.import')] ?? ((name) => import(name));`,
  },
})
mkdirSync(join(dist, 'explorer'), { recursive: true })
for (const { path, text } of outputFiles) {
  writeFileSync(path, path.endsWith('.map') ? text : withHandedInImport(text))
}
copyFileSync(join(root, 'scripts/cli-loader.js'), join(dist, 'cli.js'))
writeFileSync(join(dist, 'yaml-thread.cjs'), "require('./cms-run.cjs').yamlThread()\n")
writeFileSync(join(dist, 'index.js'), face())
writeFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), licences(metafile))
await keepBytecode()
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
})
keepDeclarationsOfFace()
for (const { name, source } of explorerFiles) {
  writeFileSync(
    join(dist, 'explorer', `${name}.gz`),
    gzipSync(readFileSync(join(root, 'node_modules', source)), { level: 9 }),
  )
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}

/**
 * A script from kept bytecode has no `import()`: packages that are loaded late come by the one that the loader hands in. A
 * name of the same length leaves the source map right.
 */
function withHandedInImport(text: string): string {
  return text.replaceAll(/\bimport(?=\("([^"]+)"\))/g, (found, name: string) =>
    external.some((one) => name === one || name.startsWith(`${one}/`)) ? '__load' : found,
  )
}

/** What `import 'cms-run'` loads: the names that the script exports, for readers of ES modules. */
function face(): string {
  const { face } = createRequire(import.meta.url)('../dist/cms-run.cjs') as { face(): object }
  return `import runtime from './cms-run.cjs'\nexport const { ${Object.keys(face()).join(', ')} } = runtime.face()\n`
}

/** The loader writes what a start has compiled when it ends. */
async function keepBytecode(): Promise<void> {
  const env = { ...process.env, CMS_RUN_CODE_CACHE: 'write', NODE_ENV: 'production' }
  const started = spawn(process.execPath, ['dist/cli.js', 'cms.yaml', '--port', '0', '--no-watch'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // The log's first line: it listens.
  await once(started.stdout, 'data')
  await new Promise((resolve) => setTimeout(resolve, 500))
  started.kill('SIGTERM')
  await once(started, 'exit')
}

/** Of the declarations only those stay that the face leads to; those written by hand are not emitted, but needed. */
function keepDeclarationsOfFace(): void {
  const types = join(dist, 'types')
  const kept = new Set<string>()
  const keep = (path: string): void => {
    if (kept.has(path)) return
    kept.add(path)
    if (!existsSync(path)) copyFileSync(path.replace(types, join(root, 'src')), path)
    const text = readFileSync(path, 'utf8')
    for (const [, target = ''] of text.matchAll(/(?:from |import\()['"](\.[^'"]+)['"]/g)) {
      keep(join(dirname(path), target).replace(/\.[jt]s$/, '.d.ts'))
    }
  }
  keep(join(types, 'index.d.ts'))
  for (const name of readdirSync(types, { recursive: true, encoding: 'utf8' })) {
    if (name.endsWith('.d.ts') && !kept.has(join(types, name))) rmSync(join(types, name))
  }
}

/** GraphiQL's script holds what it depends on: the packages whose licences go with it. */
function explorerPackages(): ReadonlySet<string> {
  const found = new Set<string>()
  const add = (name: string): void => {
    const folder = `node_modules/${name}`
    if (found.has(folder) || !existsSync(join(root, folder, 'package.json'))) return
    found.add(folder)
    for (const dependency of Object.keys(manifestOf(join(root, folder)).dependencies ?? {})) add(dependency)
  }
  for (const { source } of explorerFiles) add(source.split('/')[0] ?? '')
  return found
}

/**
 * The licence of every package that has a part in the script; one of them without a text of its licence is a fault. Some
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
  const { name, version, license } = manifestOf(path)
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
