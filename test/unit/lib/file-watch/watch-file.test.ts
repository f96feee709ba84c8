// Every way in which editors and tools save a file is seen exactly once, and only when the content has come to rest.

import { execFile, execFileSync } from 'node:child_process'
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { type WatchOptions, watchFiles } from '../../../../src/lib/file-watch/watch-file.ts'

const BEFORE = 'title: before\nmore: lines\n'
const AFTER = 'title: after\nmore: lines\n'

/** Longer than anything that comes to rest takes to do so. */
const QUIET = 800
/** Never within a test: what is seen is seen by events. */
const NEVER = 1_000_000

interface Place {
  readonly folder: string
  readonly file: string
}

interface Told {
  readonly seen: string[]
  missing: number
  reason?: string | undefined
}

type Options = Omit<Partial<WatchOptions>, 'onChange' | 'onMissing'>

/** Tests run beside each other: what they leave is cleared away when all are done. */
const leftovers: (() => unknown)[] = []
afterAll(async () => {
  for (const clear of leftovers.reverse()) await clear()
})

function newPlace(): Place {
  const folder = mkdtempSync(join(tmpdir(), 'cms-run-watch-'))
  leftovers.push(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'cms.yaml')
  writeFileSync(file, BEFORE)
  return { folder, file }
}

async function follow(files: readonly string[], options: Options = {}) {
  const told: Told = { seen: [], missing: 0 }
  const watch = await watchFiles(files, {
    lookEvery: NEVER,
    ...options,
    onChange: (_file, content) => void told.seen.push(content.toString()),
    onMissing: (_file, reason) => {
      told.missing += 1
      told.reason = reason
    },
  })
  leftovers.push(() => watch.close())
  return { told, watch }
}

async function until(met: () => boolean): Promise<void> {
  while (!met()) await wait(5)
}

/** What was told when `last` was seen and it has been quiet for a while. */
async function toldAt(last: string, told: Told): Promise<Told> {
  await until(() => told.seen.at(-1) === last)
  await wait(QUIET)
  return told
}

const styles: readonly [name: string, save: (place: Place) => void | Promise<void>][] = [
  ['truncated and written in place', ({ file }) => writeFileSync(file, AFTER)],
  [
    'a temporary file renamed over it',
    ({ file }) => {
      writeFileSync(`${file}.tmp`, AFTER)
      renameSync(`${file}.tmp`, file)
    },
  ],
  [
    'the old one renamed to a backup, a new one written',
    ({ file }) => {
      renameSync(file, `${file}~`)
      writeFileSync(file, AFTER)
      unlinkSync(`${file}~`)
    },
  ],
  [
    'deleted and made again at once',
    ({ file }) => {
      unlinkSync(file)
      writeFileSync(file, AFTER)
    },
  ],
  [
    'deleted and made again a little later',
    async ({ file }) => {
      unlinkSync(file)
      await wait(150)
      writeFileSync(file, AFTER)
    },
  ],
  [
    'written in three pieces',
    async ({ file }) => {
      writeFileSync(file, 'title: after\n')
      await wait(120)
      appendFileSync(file, 'more:')
      await wait(120)
      appendFileSync(file, ' lines\n')
    },
  ],
  [
    'copied over with an old date',
    ({ folder, file }) => {
      const other = join(folder, 'other.yaml')
      writeFileSync(other, AFTER)
      copyFileSync(other, file)
      utimesSync(file, 1_000_000_000, 1_000_000_000)
    },
  ],
  ['sed -i', ({ file }) => void execFileSync('sed', ['-i', 's/before/after/', file])],
  [
    'written by a process of its own',
    ({ file }) => void execFileSync('sh', ['-c', `printf '%s' '${AFTER}' > '${file}'`]),
  ],
  [
    'saved twice within a few milliseconds',
    async ({ file }) => {
      writeFileSync(file, 'title: between\nmore: lines\n')
      await wait(3)
      writeFileSync(file, AFTER)
    },
  ],
]

describe.concurrent.each(styles)('%s', (_name, save) => {
  test.concurrent('is seen once, by events', async () => {
    const place = newPlace()
    const { told } = await follow([place.file])
    await save(place)
    const { seen, missing } = await toldAt(AFTER, told)
    expect({ seen: seen.filter((text) => text !== 'title: between\nmore: lines\n'), missing }).toEqual({
      seen: [AFTER],
      missing: 0,
    })
  })
})

const oddities: readonly [name: string, reason: string | undefined, put: (place: Place) => void][] = [
  ['a pipe', 'it is not a regular file', ({ file }) => void execFileSync('mkfifo', [file])],
  ['a directory', 'it is a directory', ({ file }) => mkdirSync(file)],
  ['a device', 'it is not a regular file', ({ file }) => symlinkSync('/dev/zero', file)],
  ['a link to nothing', undefined, ({ file, folder }) => symlinkSync(join(folder, 'nowhere'), file)],
  [
    'a very large file',
    'it is larger than 64 MB',
    ({ file }) => {
      writeFileSync(file, '')
      truncateSync(file, 2 ** 40)
    },
  ],
]

describe.concurrent.each(oddities)('a file that turns into %s', (_name, reason, put) => {
  test.concurrent('is told once; the next good save is taken', async () => {
    const place = newPlace()
    const { told } = await follow([place.file], { lookEvery: 100 })
    unlinkSync(place.file)
    put(place)
    await until(() => told.missing > 0)
    await wait(QUIET)
    expect({ missing: told.missing, reason: told.reason }).toEqual({ missing: 1, reason })
    rmSync(place.file, { recursive: true })
    writeFileSync(place.file, AFTER)
    expect((await toldAt(AFTER, told)).seen).toEqual([AFTER])
  })

  test.concurrent('is one at the start: the first good save is taken', async () => {
    const place = newPlace()
    unlinkSync(place.file)
    put(place)
    const { told } = await follow([place.file], { lookEvery: 100 })
    rmSync(place.file, { recursive: true })
    writeFileSync(place.file, AFTER)
    expect((await toldAt(AFTER, told)).seen).toEqual([AFTER])
  })
})

describe.concurrent('half-written', () => {
  const whole = 'types:\n  person:\n    name: string\n    phone: { private: true }\nend: true\n'
  // Shown alone, this first piece is valid and has lost what made the field private.
  const piece = 'types:\n  person:\n    name: text\n'

  test.concurrent.each([
    ['a piece that differs from the content before', piece, 'phone: { private: true }\nend: true\n'],
    ['a piece that is the beginning of the content before', whole.slice(0, 33), `more: text\n`],
    ['a piece that ends within a line', 'types:\n  per', 'son: {}\nand: more\nthan: before\nis: here\n'],
    ['no byte yet', '', whole.replace('string', 'text')],
  ])('%s is not shown', async (_name, first, rest) => {
    const { file } = newPlace()
    writeFileSync(file, whole)
    const { told } = await follow([file])
    writeFileSync(file, first)
    await wait(200)
    appendFileSync(file, rest)
    expect((await toldAt(first + rest, told)).seen).toEqual([first + rest])
  })

  test.concurrent('what stays as short is taken in the end', async () => {
    const { file } = newPlace()
    writeFileSync(file, whole)
    const { told } = await follow([file])
    writeFileSync(file, piece)
    expect((await toldAt(piece, told)).seen).toEqual([piece])
  })
})

test.concurrent('a storm of saves: the last one wins, few between are shown, and none that is torn', async () => {
  const { file } = newPlace()
  const { told } = await follow([file])
  for (let save = 0; save < 100; save++) {
    writeFileSync(file, `title: ${String(save).padStart(3, '0')}\nmore: lines\n`)
    await wait(8)
  }
  writeFileSync(file, AFTER)
  const { seen } = await toldAt(AFTER, told)
  expect(seen.length).toBeLessThan(50)
  expect(seen.filter((text) => !/^title: (\d{3}|after)\nmore: lines\n$/.test(text))).toEqual([])
})

test.concurrent('a swapped link, as a mounted configuration map does it', async () => {
  const { folder, file } = newPlace()
  for (const [version, text] of [
    ['..v1', BEFORE],
    ['..v2', AFTER],
  ] as const) {
    mkdirSync(join(folder, version))
    writeFileSync(join(folder, version, 'cms.yaml'), text)
  }
  unlinkSync(file)
  symlinkSync('..v1', join(folder, '..data'))
  symlinkSync(join('..data', 'cms.yaml'), file)
  const { told } = await follow([file])
  symlinkSync('..v2', join(folder, '..data_tmp'))
  renameSync(join(folder, '..data_tmp'), join(folder, '..data'))
  expect((await toldAt(AFTER, told)).seen).toEqual([AFTER])
})

test.concurrent('a touch, the same content again and files beside it are nothing', async () => {
  const { folder, file } = newPlace()
  const { told } = await follow([file], { lookEvery: 50 })
  utimesSync(file, new Date(), new Date())
  writeFileSync(file, BEFORE)
  writeFileSync(join(folder, '.cms.yaml.swp'), 'x')
  writeFileSync(join(folder, 'other.yaml'), 'x')
  await wait(QUIET)
  expect(told).toEqual({ seen: [], missing: 0 })
})

test.concurrent('a deleted file is missing once, and seen when it is back, even as it was', async () => {
  const { file } = newPlace()
  const { told } = await follow([file], { lookEvery: 50 })
  unlinkSync(file)
  await until(() => told.missing > 0)
  await wait(QUIET)
  expect(told).toEqual({ seen: [], missing: 1 })
  writeFileSync(file, BEFORE)
  expect(await toldAt(BEFORE, told)).toEqual({ seen: [BEFORE], missing: 1 })
})

test.concurrent('a folder that is deleted and made again', async () => {
  const { folder, file } = newPlace()
  const { told } = await follow([file], { lookEvery: 50 })
  rmSync(folder, { recursive: true })
  await until(() => told.missing > 0)
  mkdirSync(folder)
  writeFileSync(file, AFTER)
  expect((await toldAt(AFTER, told)).seen).toEqual([AFTER])
})

test.concurrent('by polling, without events', async () => {
  const { file } = newPlace()
  const { told } = await follow([file], { poll: true, lookEvery: 50 })
  writeFileSync(file, AFTER)
  expect((await toldAt(AFTER, told)).seen).toEqual([AFTER])
})

test.concurrent('what was saved before the watch stood, and after the file was read', async () => {
  const { file } = newPlace()
  const since = Date.now()
  writeFileSync(file, AFTER)
  const { told } = await follow([file], { since })
  expect((await toldAt(AFTER, told)).seen).toEqual([AFTER])
})

test.concurrent('a file that rested before it was read is not told', async () => {
  const { file } = newPlace()
  utimesSync(file, 1_000_000_000, 1_000_000_000)
  await wait(60)
  const { told } = await follow([file], { since: Date.now() })
  await wait(QUIET)
  expect(told.seen).toEqual([])
})

test.concurrent('files that come and go', async () => {
  const { folder, file } = newPlace()
  const other = newPlace().file
  const beside = join(folder, 'seed.yaml')
  writeFileSync(beside, 'a: 1\n')
  const { told, watch } = await follow([file])
  await watch.setFiles([beside, other])
  writeFileSync(file, AFTER)
  writeFileSync(beside, 'a: 2\n')
  await until(() => told.seen.includes('a: 2\n'))
  writeFileSync(other, 'b: 1\nand: a longer end\n')
  expect((await toldAt('b: 1\nand: a longer end\n', told)).seen).toEqual([
    'a: 2\n',
    'b: 1\nand: a longer end\n',
  ])
})

test.concurrent('nothing is told after the close, and the process can end', async () => {
  const { file } = newPlace()
  const module = join(dirname(fileURLToPath(import.meta.url)), '../../../../src/lib/file-watch/watch-file.ts')
  const program = `
    import { writeFileSync } from 'node:fs'
    import { watchFiles } from ${JSON.stringify(module)}
    const watch = await watchFiles([${JSON.stringify(file)}], { onChange: () => console.log('told') })
    writeFileSync(${JSON.stringify(file)}, 'title: other\\nmore: lines\\n')
    await watch.close()`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', program],
    { cwd: dirname(module) },
  )
  expect(stdout).toBe('')
})
