// Large files are read in a thread of their own: what comes of them, and where each value stands, is what this thread
// would have made of them, and meanwhile it does other things.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MIN_THREAD_CHARACTERS, parseInThread } from '../../../src/config/yaml/parse-in-thread.ts'
import { type ParsedYaml, parseYaml } from '../../../src/config/yaml/parse-yaml.ts'
import { getPlace } from '../../../src/config/yaml/source-text.ts'

type Path = readonly (string | number)[]

function* pathsOf(value: unknown, path: Path = []): Generator<Path> {
  yield path
  if (typeof value !== 'object' || value === null) return
  for (const [key, item] of Object.entries(value)) {
    yield* pathsOf(item, [...path, Array.isArray(value) ? Number(key) : key])
  }
}

/** Everything that a report could ask. */
function told({ value, diagnostics, source }: ParsedYaml): unknown {
  const at = (path: Path, part: 'key' | 'value') => {
    const { start, end } = source.locate(path, part)
    return [path, part, start, end]
  }
  const paths = [...pathsOf(value), ['nowhere'], ['contentTypes', 'nothing', 0]]
  return {
    value,
    diagnostics: diagnostics.map((diagnostic) => {
      const { start, end, code, message, help } = getPlace(diagnostic, source)
      return { start, end, code, message, help }
    }),
    places: paths.flatMap((path) => [at(path, 'key'), at(path, 'value')]),
    within: paths.slice(0, 50).map((path) => source.locateWithin(path, [0, 2]).start),
    secrets: source.secretRanges(),
  }
}

const folder = join(import.meta.dirname, '../../config')
const files = ['good', 'bad'].flatMap((kind) =>
  readdirSync(join(folder, kind))
    .filter((name) => /\.ya?ml$/.test(name))
    .map((name) => join(folder, kind, name)),
)
const rows = files
  .map((file) => [file.slice(folder.length + 1), readFileSync(file, 'utf8')] as const)
  .filter(
    ([name, text]) =>
      name.startsWith('good') || /anchor|alias|yaml-|merge|deep|secret/.test(name + text.slice(0, 40)),
  )

test.each(rows)('%s', async (_name, text) => {
  const large = `${text}\n${'# and a comment that makes it large\n'.repeat(Math.ceil(MIN_THREAD_CHARACTERS / 36))}`
  expect(large.length).toBeGreaterThan(MIN_THREAD_CHARACTERS)
  let turns = 0
  let over = false
  const turn = (): void => {
    turns += 1
    if (!over) setTimeout(turn, 1)
  }
  turn()
  const aside = await parseInThread(large, 'x.yaml')
  over = true
  expect(told(aside)).toEqual(told(parseYaml(large, 'x.yaml')))
  expect(aside.source.name).toBe('x.yaml')
  // Without the thread there would be one.
  expect(turns).toBeGreaterThan(2)
})
