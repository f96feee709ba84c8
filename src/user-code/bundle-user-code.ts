// Bundles users' files (TypeScript, ES modules, CommonJS) into one module that can run each file separately.

import { createHash } from 'node:crypto'
import { isBuiltin } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Loader, Message, Plugin } from 'esbuild'
import { readRegularFile } from '../lib/read-regular-file.ts'
import { STRAPI_PACKAGES } from './strapi-package.ts'

export interface BundledCode {
  /**
   * The module exports a map, file -> a function that runs the file and returns its exports, and `bind`, which takes a
   * function that returns the global `strapi`, and variables that `process.env` has in these files.
   */
  readonly code: string
  /** Imported from the server's own copy: a second copy would not work with the server. */
  readonly shared: readonly string[]
}

export interface BundleFault {
  /** Undefined when the fault is outside the user's files. */
  readonly file: string | undefined
  readonly line: number | undefined
  readonly column: number | undefined
  readonly message: string
}

/** Absolute path -> hash of the bundled content, since the file on disk may have changed. */
type FilesRead = ReadonlyMap<string, string>

type Bundle = { readonly read: FilesRead } & (
  | { readonly ok: true; readonly bundle: BundledCode }
  | { readonly ok: false; readonly faults: readonly BundleFault[] }
)

export const SHARED = 'cms-run.shared'

const MAX_CODE_BYTES = 16 * 1024 * 1024

const SHARED_PACKAGES: ReadonlySet<string> = new Set(['graphql', 'nexus', ...STRAPI_PACKAGES])
const LOADERS: Readonly<Record<string, Loader>> = {
  '.ts': 'ts',
  '.mts': 'ts',
  '.cts': 'ts',
  '.tsx': 'tsx',
  '.js': 'js',
  '.mjs': 'js',
  '.cjs': 'js',
  '.jsx': 'jsx',
}

export async function bundleUserCode(files: readonly string[], directory: string): Promise<Bundle> {
  // Imported only when a configuration names code.
  const { build, transform } = await import('esbuild')
  const shared = new Set<string>()
  const read = new Map<string, string>()
  // Sorted, so that the same files give the same bundle in any order.
  const entry = [...files]
    .sort()
    .map((file) => `[${JSON.stringify(file)}, () => import(${JSON.stringify(file)})]`)
    .join(',\n')
  try {
    const { outputFiles } = await build({
      stdin: {
        contents: `export const modules = new Map([${entry}])\n${BIND}`,
        resolveDir: directory,
        loader: 'js',
      },
      absWorkingDir: directory,
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      sourcemap: 'inline',
      sourcesContent: false,
      sourceRoot: `${pathToFileURL(directory)}/`,
      outfile: join(directory, 'cms-run-user-code.mjs'),
      logLevel: 'silent',
      keepNames: true,
      define: { 'import.meta.url': '__userFileUrl', strapi: '__strapi', 'process.env': '__env' },
      banner: { js: REQUIRE.replace('HERE', JSON.stringify(join(directory, 'cms.yaml'))) + STRAPI + ENV },
      plugins: [placesOfFiles(directory, read, transform), packages(shared)],
    })
    return { ok: true, read, bundle: { code: outputFiles[0]?.text ?? '', shared: [...shared] } }
  } catch (error) {
    const messages = (error as { errors?: readonly Message[] }).errors
    if (messages === undefined) throw error
    return { ok: false, read, faults: messages.map((message) => buildFault(message, directory)) }
  }
}

const REQUIRE =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(HERE);"

/** On the line of `REQUIRE`. */
const STRAPI =
  " let __getStrapi = () => undefined; const __strapi = new Proxy({}, { get(_, name) { const found = __getStrapi(); if (found === undefined) throw new Error('strapi is not there while files are loaded: use it in register(), bootstrap() or later'); return found[name] } });"

/** On the same line. The process keeps its own environment, except for writes of code. */
const ENV =
  ' let __given = {}; const __env = new Proxy(process.env, { has: (real, name) => name in __given || name in real, get: (real, name) => (name in __given ? __given : real)[name], set(real, name, value) { delete __given[name]; real[name] = value; return true } });'
const BIND = 'export const bind = (get, given) => { __getStrapi = get; __given = given }'

function buildFault({ text, location }: Message, directory: string): BundleFault {
  return {
    file: location === null ? undefined : resolve(directory, location.file),
    line: location?.line,
    column: location === null ? undefined : location.column + 1,
    message: text,
  }
}

function placesOfFiles(
  directory: string,
  hashes: Map<string, string>,
  transform: typeof import('esbuild').transform,
): Plugin {
  return {
    name: 'places',
    setup(build) {
      // The bundler itself would wait forever on a named pipe, so files are read here.
      build.onLoad({ filter: /.*/, namespace: 'file' }, async ({ path }) => {
        const read = await readRegularFile(path, MAX_CODE_BYTES)
        hashes.set(path, read.ok ? createHash('sha256').update(read.bytes).digest('hex') : read.reason)
        if (!read.ok) {
          const name = JSON.stringify(relative(directory, path))
          return { errors: [{ text: `cannot read ${name}: ${read.reason}` }] }
        }
        if (!/\.[cm]?[jt]sx?$/.test(path)) return { contents: read.bytes, loader: 'default' }
        const text = read.bytes.toString('utf8')
        const place = Object.entries({
          __userFileUrl: String(pathToFileURL(path)),
          __filename: path,
          __dirname: dirname(path),
        })
          .filter(([name]) => text.includes(name === '__userFileUrl' ? 'import.meta.url' : name))
          .map(([name, value]) => `var ${name} = ${JSON.stringify(value)};`)
        // Added to the first line to keep line numbers, but after `#!`.
        const start = /^#!.*/.exec(text)?.[0].length ?? 0
        const contents = text.slice(0, start) + (start > 0 ? '\n' : '') + place.join(' ') + text.slice(start)
        const loader = LOADERS[path.slice(path.lastIndexOf('.'))] ?? 'js'
        if (loader !== 'ts' || !mixesModules(text)) return { contents, loader }
        const { code } = await transform(contents, {
          loader,
          format: 'cjs',
          sourcefile: path,
          sourcemap: 'inline',
        })
        return { contents: code, loader: 'js' }
      })
    },
  }
}

/** Whether TypeScript, which prints CommonJS for Strapi, makes a module of it that `import` would not. */
function mixesModules(text: string): boolean {
  return /^module\.exports\s*=/m.test(text) && /^(?:import|export)\s/m.test(text)
}

const MAX_PACKAGE_BYTES = 1024 * 1024

/** By the ending, else by `type` in the next package.json. */
async function isCommonJs(file: string): Promise<boolean> {
  if (!file.endsWith('.js')) return file.endsWith('.cjs')
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const read = await readRegularFile(join(folder, 'package.json'), MAX_PACKAGE_BYTES)
    if (!read.ok && read.missing) continue
    try {
      return read.ok && JSON.parse(read.bytes.toString('utf8')).type !== 'module'
    } catch {
      return false
    }
  }
  return true
}

/** Imports each package from the importing file's location, shared ones from the server. */
function packages(shared: Set<string>): Plugin {
  return {
    name: 'packages',
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, async (asked) => {
        const { path, importer, kind, resolveDir } = asked
        if (asked.pluginData === 'asked already' || kind === 'entry-point') return undefined
        if (isBuiltin(path)) return { path, external: true }
        if (SHARED_PACKAGES.has(path)) {
          shared.add(path)
          return { path, namespace: 'shared' }
        }
        const found = await build.resolve(path, { importer, kind, resolveDir, pluginData: 'asked already' })
        if (found.errors.length > 0 || found.external || !found.path.includes('node_modules')) return found
        if (kind === 'require-call') return { path: found.path, external: true }
        // Node finds no named exports in some CommonJS modules, such as lodash.
        return kind === 'import-statement' && (await isCommonJs(found.path))
          ? { path: found.path, namespace: 'required' }
          : { path: String(pathToFileURL(found.path)), external: true }
      })
      build.onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
        contents: `module.exports = require(${JSON.stringify(path)})`,
        loader: 'js',
      }))
      build.onResolve({ filter: /.*/, namespace: 'required' }, ({ path }) => ({ path, external: true }))
      build.onLoad({ filter: /.*/, namespace: 'shared' }, ({ path }) => ({
        contents: `module.exports = globalThis[Symbol.for('${SHARED}')].get(${JSON.stringify(path)})(strapi)`,
        loader: 'js',
      }))
    },
  }
}
