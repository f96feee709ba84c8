// src/ -> dist/: our sources as one script with its source map, its loader, the
// command line, the exports for programs, declarations, the licences of what is in it that others wrote (decision 0001), and
// the bill of all packages (decision 0001).

import { execFileSync } from 'node:child_process'
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
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Plugin, transform } from 'esbuild'
import { bundlePages } from '../../src/console/bundle-pages.ts'
import { explorerFiles } from '../../src/plugins/graphql/http/explorer-files.ts'
import { licences } from './licences.ts'
import { softwareBill } from './software-bill.ts'
import { thinSourceMap } from './thin-source-map.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const dist = join(root, 'dist')

const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly dependencies: object
  readonly peerDependencies: object
}
const external = Object.keys({ ...dependencies, ...peerDependencies })

/**
 * Short names for what is local and for libraries. Functions and classes of ours keep theirs, as if they were exported, so
 * that a stack trace says where it was.
 */
const shortNames: Plugin = {
  name: 'short names',
  setup(bundle) {
    bundle.onLoad({ filter: /\.[jt]s$/ }, async ({ path }) => {
      const text = readFileSync(path, 'utf8')
      const own = !path.includes('node_modules')
      const kept = own ? [...text.matchAll(/^(?:async )?(?:function\*?|class) (\w+)/gm)] : []
      const exported = own ? `\nexport { ${kept.map(([, name]) => name)} }` : ''
      const { code } = await transform(text + exported, {
        loader: path.endsWith('.ts') ? 'ts' : 'js',
        minifyIdentifiers: true,
        sourcemap: own && 'inline',
        sourcesContent: false,
        sourcefile: basename(path),
      })
      return { contents: code, loader: 'js' }
    })
  },
}

rmSync(dist, { recursive: true, force: true })
const { metafile, outputFiles } = await build({
  absWorkingDir: root,
  // One script for the command line and for programs: each begins where it is asked for.
  stdin: {
    resolveDir: root,
    contents: `
      exports.commandLine = () => require('./src/cli/bin.ts')
      exports.programs = () => require('./src/index.ts')
      exports.yamlThread = () => require('./src/config/yaml/yaml-thread.ts')`,
  },
  outfile: 'dist/cms-run.cjs',
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  // ws takes these two, which are binaries, only where they are installed.
  external: [...external, 'bufferutil', 'utf-8-validate'],
  plugins: [shortNames],
  write: false,
  metafile: true,
  legalComments: 'none',
  minifySyntax: true,
  minifyWhitespace: true,
  lineLimit: 400,
  sourcemap: 'linked',
  sourcesContent: false,
  define: { 'import.meta.url': '__fileUrl' },
  banner: { js: `const __fileUrl = require('node:url').pathToFileURL(__filename).href;` },
})
mkdirSync(join(dist, 'explorer'), { recursive: true })
for (const { path, text } of outputFiles) {
  writeFileSync(path, path.endsWith('.map') ? thinSourceMap(text) : text)
}
for (const name of ['loader.js', 'cli.js']) copyFileSync(join(root, 'tools/scripts', name), join(dist, name))
writeFileSync(join(dist, 'yaml-thread.cjs'), "require('./cms-run.cjs').yamlThread()\n")
writeFileSync(join(dist, 'index.js'), exportsForPrograms())
const pages = await bundlePages(root)
mkdirSync(join(dist, 'console'))
for (const [name, content] of pages.files)
  writeFileSync(join(dist, 'console', `${name}.gz`), gzipSync(content, { level: 9 }))
writeFileSync(
  join(dist, 'console', 'console.json'),
  JSON.stringify({ ...pages.entrance, files: [...pages.files.keys()] }),
)
writeFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), licences(root, metafile, pages.metafile))
writeFileSync(join(dist, 'sbom.cdx.json'), softwareBill(root, metafile, pages.metafile))
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
})
keepDeclarationsOfIndex()
for (const { name, source } of explorerFiles) {
  writeFileSync(
    join(dist, 'explorer', `${name}.gz`),
    gzipSync(readFileSync(join(root, 'node_modules', source)), { level: 9 }),
  )
}

/** What `import 'cms-run'` loads: the names that the script exports, for readers of ES modules. */
function exportsForPrograms(): string {
  const { programs } = createRequire(import.meta.url)('../../dist/cms-run.cjs') as { programs(): object }
  return `import { script } from './loader.js'\nexport const { ${Object.keys(programs()).join(', ')} } = script.programs()\n`
}

/** Of the declarations only those stay that index.d.ts leads to; those written by hand are not emitted, but needed. */
function keepDeclarationsOfIndex(): void {
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
