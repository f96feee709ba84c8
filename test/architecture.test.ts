// The rules about structure, checked on every file of src/ (ARCHITECTURE.md).

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import {
  brokenLayers,
  circles,
  folderCircles,
  importsOf,
  packagesLoadedWith,
  roomOf,
  type Sources,
  strayImports,
  withoutComments,
} from './support/import-graph.ts'

const src = join(dirname(fileURLToPath(import.meta.url)), '../src')
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter(
    (file) => file.endsWith('.ts') && !file.includes('generated/') && !file.startsWith('console/browser/'),
  )
const sources: Sources = new Map(files.map((file) => [file, readFileSync(join(src, file), 'utf8')]))

test('imports run down the layers', () => {
  expect(sources.size).toBeGreaterThan(100)
  expect(brokenLayers(sources)).toEqual([])
})

test('there are no circles, types included', () => {
  expect(circles(sources)).toEqual([])
})

test('there are no circles between the folders of a room', () => {
  expect(folderCircles(sources)).toEqual([])
})

describe('only those who may import it do', () => {
  test.each([
    ['kysely', /^storage\/|-tables?\.ts$/],
    ['sql.js', /^storage\/drivers\/sqlite\//],
    ['yaml', /^config\//],
    ['ajv', /^never$/],
    ['graphql-jit', /^plugins\/graphql\/execution\/(load-compiler|compile-operation)\.ts$/],
    ['any-ascii', /^lib\/slugify\.ts$/],
    ['qs', /^lib\/parse-brackets\.ts$/],
    ['busboy', /^http\/body\/read-multipart\.ts$/],
    ['p-limit', /^(http\/work-queue|plugins\/graphql\/socket\/operation-socket)\.ts$/],
    ['pluralize', /^config\/names-of\.ts$/],
    ['lru-cache', /^lib\/bounded-cache\.ts$/],
    ['chokidar', /^lib\/file-watch\/watch-file\.ts$/],
    ['pino', /^observe\/log\/create-log\.ts$/],
    ['tar-stream', /^storage\/archive\/(read|write)-tar\.ts$/],
    ['uWebSockets.js', /^http\/uws-/],
    ['@opentelemetry/api', /^observe\/tracing\//],
    ['node:http', /^http\//],
    ['ws', /^http\/node\/node-sockets\.ts$/],
    ['@node-rs/argon2', /^access\/(hash|verify)-password\.ts$/],
    ['bcryptjs', /^access\/verify-password\.ts$/],
    ['jose', /^access\/(json-web-token|external-identity|provider-keys)\.ts$/],
    ['sharp', /^plugins\/upload\/images\.ts$/],
    ['file-type', /^plugins\/upload\/create-intake\.ts$/],
    ['@faker-js/faker', /^write\/seeding\/fake\//],
    ['nodemailer', /^plugins\/email\/smtp-mailer\.ts$/],
  ])('%s', (name, allowed) => {
    expect(strayImports(sources, name, allowed)).toEqual([])
  })
})

test('a start loads only the packages that each start needs', () => {
  expect(packagesLoadedWith(sources, 'cli/bin.ts', 'cli/commands/run.ts', 'index.ts')).toEqual([
    'kysely',
    'lru-cache',
    'p-limit',
    'pluralize',
    'yaml',
  ])
})

test('a database knows no other', () => {
  // The memory database is SQLite, too; servers share what begins and ends their transactions.
  const known: Readonly<Record<string, readonly string[]>> = {
    memory: ['sqlite'],
    postgres: ['server'],
    mysql: ['server'],
  }
  const strays = [...sources].flatMap(([file, text]) => {
    const [, own] = /^storage\/drivers\/(\w+)\//.exec(file) ?? []
    if (own === undefined) return []
    return importsOf(text)
      .map((target) => /^\.\.\/(\w+)\//.exec(target)?.[1])
      .filter((other) => other !== undefined && known[own]?.includes(other) !== true)
      .map((other) => `${file}: ${other}`)
  })
  expect(strays).toEqual([])
})

test('nobody outside decides by the name of a database', () => {
  const branches = /client\)? [!=]== '(?:memory|sqlite|postgres|mysql)'|dialect\.name|\.embedded/
  const found = [...sources]
    .filter(([file, text]) => !file.startsWith('storage/drivers/') && branches.test(withoutComments(text)))
    .map(([file]) => file)
  expect(found).toEqual([])
})

test('names say what a thing is', () => {
  const forbidden = /(manager|helper|service|util|utils)\.ts$/
  const named = files.filter((file) => forbidden.test(basename(file)))
  expect(named).toEqual([])
  expect(files.filter((file) => !/^[a-z0-9-]+\.ts$/.test(basename(file)))).toEqual([])
  expect(files.filter((file) => basename(file) === 'index.ts')).toEqual(['index.ts'])
})

test('every file begins with its purpose', () => {
  expect([...sources].filter(([, text]) => !text.startsWith('//')).map(([file]) => file)).toEqual([])
})

test('every room has a README', () => {
  const rooms = new Set(files.filter((file) => file.includes('/')).map((file) => roomOf(file)))
  expect([...rooms].filter((room) => !existsSync(join(src, room, 'README.md')))).toEqual([])
})

test('nothing switches the type checker or the linter off', () => {
  const directives = /^\s*(?:\/\/|\/\*).*(?:@ts-(ignore|nocheck|expect-error)|biome-ignore)/m
  const any = /\bas any\b|: any\b|<any>/
  const off = [...sources].filter(([, text]) => directives.test(text) || any.test(withoutComments(text)))
  expect(off.map(([file]) => file)).toEqual([])
})

test('the process environment is read at the entry points only', () => {
  const readers = [...sources]
    .filter(([, text]) => /process\.env\b/.test(withoutComments(text)))
    .map(([file]) => file)
  // libsql takes the number of its threads from there only. Users' code has the process's environment, and variables of `.env`.
  const allowed =
    /^(cli\/|app\/create-cms\.ts|http\/uws\/uws-binding\.ts$|storage\/drivers\/sqlite\/libsql-threads\.ts$|user-code\/(bundle-user-code|user-modules)\.ts$)/
  expect(readers.filter((file) => !allowed.test(file))).toEqual([])
})

test('timers and the monotonic clock are imported, so that a program that fakes the global ones does not stop us', () => {
  const timer = /(?<![.\w'])(?:set|clear)(?:Timeout|Interval|Immediate)(?=\()/g
  const named = (text: string): readonly string[] => [
    ...[...text.matchAll(timer)].map(([name]) => name),
    ...(/(?<![.\w])performance\./.test(text) ? ['performance'] : []),
  ]
  const found = [...sources].flatMap(([file, source]) => {
    const text = withoutComments(source)
    const imported = new Set(
      [...text.matchAll(/import \{([^}]*)\} from 'node:(?:timers|timers\/promises|perf_hooks)'/g)]
        .flatMap(([, names = '']) => names.split(','))
        .map((name) => name.trim()),
    )
    return named(text)
      .filter((name) => !imported.has(name))
      .map((name) => `${file}: ${name}`)
  })
  // The script of a thread of its own.
  expect(found).toEqual(['user-code/trial-run.ts: setInterval'])
})

describe('each rule finds what breaks it', () => {
  const tree = (entries: Record<string, string>): Sources => new Map(Object.entries(entries))

  test('an import that runs up', () => {
    const broken = brokenLayers(
      tree({ 'model/a.ts': "import type { B } from '../plan/b.ts'", 'plan/b.ts': '' }),
    )
    expect(broken).toEqual(['model/a.ts imports up: plan/b.ts'])
  })

  test('an import of a neighbour', () => {
    const broken = brokenLayers(tree({ 'config/a.ts': "import { b } from '../http/b.ts'", 'http/b.ts': '' }))
    expect(broken).toEqual(['config/a.ts imports a room of its own layer: http/b.ts'])
  })

  test('a plugin that knows its sibling', () => {
    const broken = brokenLayers(
      tree({ 'plugins/i18n/a.ts': "export { b } from '../upload/b.ts'", 'plugins/upload/b.ts': '' }),
    )
    expect(broken).toEqual(['plugins/i18n/a.ts imports a room of its own layer: plugins/upload/b.ts'])
  })

  test('an import from inside a plugin, by any but the list', () => {
    const broken = brokenLayers(
      tree({
        'app/a.ts': "import { b } from '../plugins/i18n/b.ts'",
        'plugins/host.ts': "import { b } from './i18n/b.ts'",
        'plugins/built-in-plugins.ts': "import { b } from './i18n/b.ts'",
        'plugins/i18n/b.ts': '',
      }),
    )
    expect(broken).toEqual([
      'app/a.ts imports from inside a plugin: plugins/i18n/b.ts',
      'plugins/host.ts imports from inside a plugin: plugins/i18n/b.ts',
    ])
  })

  test('a circle', () => {
    const found = circles(
      tree({ 'plan/a.ts': "import './b.ts'", 'plan/b.ts': "type A = import('./a.ts').A" }),
    )
    expect(found).toEqual(['plan/a.ts -> plan/b.ts -> plan/a.ts'])
  })

  test('a circle of folders', () => {
    const found = folderCircles(
      tree({
        'databases/open.ts': "import './sqlite/a.ts'",
        'databases/database.ts': '',
        'databases/sqlite/a.ts': "import '../database.ts'\nimport '../postgres/b.ts'",
        'databases/sqlite/c.ts': '',
        'databases/postgres/b.ts': "import '../sqlite/c.ts'",
      }),
    )
    expect(found).toEqual(['databases/sqlite -> databases/postgres -> databases/sqlite'])
  })

  test('a package that is loaded with a file, by another', () => {
    const found = packagesLoadedWith(
      tree({
        'app/a.ts':
          "import { type B, b } from '../plan/b.ts'\nimport { type C } from 'c'\nimport type D from 'd'",
        'plan/b.ts': "export * from 'e'\nconst f = await import('f')\nimport {\n  type G,\n  g,\n} from 'g'",
      }),
      'app/a.ts',
    )
    expect(found).toEqual(['e', 'g'])
  })

  test('all forms of import are read, comments are not', () => {
    const text = `import a from 'a'\nimport type { B } from "b"\nexport * from 'c'\nawait import('d')\n// import 'e'\nimport {\n  f,\n} from 'f'\nimport 'g'`
    expect([...importsOf(text)].sort()).toEqual(['a', 'b', 'c', 'd', 'f', 'g'])
  })
})
