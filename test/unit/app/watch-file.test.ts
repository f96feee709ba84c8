// Every way in which editors and tools save a file is seen exactly once, and only when the content has come to rest.

import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { type FileWatch, watchFiles } from '../../../src/app/watch-file.ts'

const BEFORE = 'title: before\nmore: lines\n'
const AFTER = 'title: after\nmore: lines\n'

let watch: FileWatch | undefined
afterEach(async () => {
  await watch?.close()
  watch = undefined
})

interface Place {
  readonly folder: string
  readonly file: string
}

/** The contents that the watch announced, after it had time to announce what it would. */
async function seenAfter(
  act: (place: Place) => void | Promise<void>,
  options: { prepare?: (place: Place) => void; poll?: boolean; wait?: number } = {},
): Promise<{ seen: string[]; missing: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'cms-run-watch-'))
  const place = { folder, file: join(folder, 'cms.yaml') }
  if (options.prepare === undefined) writeFileSync(place.file, BEFORE)
  else options.prepare(place)
  const seen: string[] = []
  let missing = 0
  watch = await watchFiles([place.file], {
    poll: options.poll ?? false,
    onChange: (file) => void seen.push(readFileSync(file, 'utf8')),
    onMissing: () => {
      missing += 1
    },
  })
  await act(place)
  await wait(options.wait ?? 1600)
  return { seen, missing }
}

const styles: readonly [name: string, save: (place: Place) => void | Promise<void>][] = [
  ['truncate and write in place', ({ file }) => writeFileSync(file, AFTER)],
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
    'written in three pieces that end within lines',
    async ({ file }) => {
      writeFileSync(file, AFTER.slice(0, 5))
      await wait(120)
      appendFileSync(file, AFTER.slice(5, 15))
      await wait(120)
      appendFileSync(file, AFTER.slice(15))
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
    'two saves within a few milliseconds',
    async ({ file }) => {
      writeFileSync(file, 'title: between\nmore: lines\n')
      await wait(3)
      writeFileSync(file, AFTER)
    },
  ],
  [
    'a storm of saves',
    async ({ file }) => {
      for (let save = 0; save < 100; save++) {
        writeFileSync(file, `title: ${save}\n`)
        if (save % 10 === 0) await wait(1)
      }
      writeFileSync(file, AFTER)
    },
  ],
]

describe.each(styles)('%s', (_name, save) => {
  test('is seen once', async () => {
    const { seen } = await seenAfter(save)
    expect(seen.at(-1)).toBe(AFTER)
    expect(seen.filter((text) => text === AFTER)).toHaveLength(1)
  })
})

test('a save in pieces shows no piece', async () => {
  const { seen } = await seenAfter(async ({ file }) => {
    writeFileSync(file, 'title: before\n')
    await wait(200)
    appendFileSync(file, 'more: other lines\n')
  })
  expect(seen).toEqual(['title: before\nmore: other lines\n'])
})

test('a swapped link, as a mounted configuration map does it', async () => {
  const { seen } = await seenAfter(
    ({ folder }) => {
      mkdirSync(join(folder, '..v2'))
      writeFileSync(join(folder, '..v2', 'cms.yaml'), AFTER)
      symlinkSync('..v2', join(folder, '..data_tmp'))
      renameSync(join(folder, '..data_tmp'), join(folder, '..data'))
    },
    {
      prepare: ({ folder, file }) => {
        mkdirSync(join(folder, '..v1'))
        writeFileSync(join(folder, '..v1', 'cms.yaml'), BEFORE)
        symlinkSync('..v1', join(folder, '..data'))
        symlinkSync(join('..data', 'cms.yaml'), file)
      },
    },
  )
  expect(seen).toEqual([AFTER])
})

test('a touch without a change, the same content again and files beside it are nothing', async () => {
  const { seen, missing } = await seenAfter(({ folder, file }) => {
    utimesSync(file, new Date(), new Date())
    writeFileSync(file, BEFORE)
    writeFileSync(join(folder, '.cms.yaml.swp'), 'x')
    writeFileSync(join(folder, 'other.yaml'), 'x')
  })
  expect({ seen, missing }).toEqual({ seen: [], missing: 0 })
})

test('a deleted file is missing once, and seen when it is back', async () => {
  const { seen, missing } = await seenAfter(async ({ file }) => {
    unlinkSync(file)
    await wait(900)
    writeFileSync(file, AFTER)
  })
  expect({ seen, missing }).toEqual({ seen: [AFTER], missing: 1 })
})

test('a folder that is deleted and made again', async () => {
  const { seen } = await seenAfter(
    async ({ folder, file }) => {
      rmSync(folder, { recursive: true })
      await wait(600)
      mkdirSync(folder)
      writeFileSync(file, AFTER)
    },
    { wait: 2600 },
  )
  expect(seen).toEqual([AFTER])
})

test('by polling, without events', async () => {
  const { seen } = await seenAfter(({ file }) => writeFileSync(file, AFTER), { poll: true, wait: 2600 })
  expect(seen).toEqual([AFTER])
})
