// How much a browser loads: the first page, and each page that is opened later.

import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { bundlePages } from '../../src/console/bundle-pages.ts'

/** Bytes, compressed. */
const FIRST_PAGE = 120 * 1024

test('the first page takes at most 120 kB, with what it loads at once', async () => {
  const { entrance, files, metafile } = await bundlePages()
  const { outputs } = metafile
  const names = new Map(Object.keys(outputs).map((path) => [path.split('/').at(-1) ?? '', path]))
  /** A file, and all that it imports before it runs. */
  const collect = (name: string, found: Set<string>): Set<string> => {
    if (found.has(name)) return found
    found.add(name)
    for (const { path, kind } of outputs[names.get(name) ?? '']?.imports ?? [])
      if (kind === 'import-statement') collect(path.split('/').at(-1) ?? '', found)
    return found
  }
  const weigh = (loaded: Iterable<string>): number =>
    [...loaded].reduce(
      (sum, name) => sum + gzipSync(files.get(name) ?? new Uint8Array(), { level: 9 }).length,
      0,
    )
  const page = (entry: string): string =>
    [...names].find(([, path]) => outputs[path]?.entryPoint?.endsWith(entry))?.[0] ?? ''
  const first = collect(entrance.script, new Set([entrance.style]))
  expect(first.size).toBeGreaterThan(1)
  const withHome = collect(page('pages/home.tsx'), new Set(first))
  expect(withHome.size).toBeGreaterThan(first.size)
  expect(weigh(withHome)).toBeLessThan(FIRST_PAGE)
  const withData = collect(page('pages/data.tsx'), new Set(first))
  console.log(weigh(first), weigh(withHome), weigh(withData))
  expect(weigh(withData)).toBeLessThan(FIRST_PAGE)
  // Editors of text are loaded with the first field that needs one.
  const loaded = [...withData].flatMap((name) => Object.keys(outputs[names.get(name) ?? '']?.inputs ?? {}))
  expect(loaded.filter((input) => /codemirror|prosemirror|@lezer/.test(input))).toEqual([])
})
