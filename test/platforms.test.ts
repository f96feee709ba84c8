// What not every platform has is used where its absence is provided for. Each place is named here with what provides for it;
// there is no Windows to run the tests on.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withoutComments } from './support/import-graph.ts'

const src = join(import.meta.dirname, '../src')
const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
  .map((name) => [name, withoutComments(readFileSync(join(src, name), 'utf8'))] as const)

function usersOf(pattern: RegExp): readonly string[] {
  return sources.filter(([, text]) => pattern.test(text)).map(([name]) => name)
}

test.each<[what: string, pattern: RegExp, users: readonly string[]]>([
  // `?.` and `=== undefined`, or left out on Windows.
  [
    'users and groups',
    /\bprocess\.(?:get|set)e?[ug]id\b/,
    ['console/console-key.ts', 'plugins/upload/spool-folder.ts'],
  ],
  // Both look in `try`, and do without.
  ['/proc', /['"`]\/proc\//, ['http/descriptors.ts', 'plugins/upload/spool-folder.ts']],
  // Left out on Windows, which cannot sync a directory.
  ['fsync', /\bfsync(?:Sync)?\(/, ['storage/drivers/sqlite/write-ahead-log.ts']],
  // Undefined on Windows: in an expression with `|` it is 0.
  ['O_NOFOLLOW', /\bO_NOFOLLOW\b/, ['plugins/upload/file-on-disk.ts']],
  ['modes of files', /\.mode &/, ['console/console-key.ts', 'plugins/upload/spool-folder.ts']],
  ['fixed folders', /['"`]\/(?:tmp|dev|etc|var|usr|run)\//, []],
  ['shells', /node:child_process['"][\s\S]*\bexec(?:Sync)?\(|shell: true/, []],
  ['a path of a URL, which begins with / before the drive', /new URL\([^)]*\)\.pathname/, []],
  [
    'separators in paths of files',
    /\b(?:file|folder|directory|dir)\w*\.(?:split|lastIndexOf|endsWith)\('\/'\)/i,
    [],
  ],
])('%s', (_what, pattern, users) => {
  expect(usersOf(pattern)).toEqual(users)
})

test('modules are imported by URL, since a path of Windows is none', () => {
  // esbuild takes paths: those that `${` begins are in what it is given.
  const byPath =
    /\bimport\((?!['"`]|\$\{)(?!\s*(?:\/\* @vite-ignore \*\/ )?(?:url|workerData\.|pathToFileURL\(|\w+\.href))/
  expect(usersOf(byPath)).toEqual([])
})
