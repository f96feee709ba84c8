// Nothing stays open after `close`, also after failures: a program ends by itself, and runners find no open handles.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { newFolder } from '../archive/in-file.ts'

const root = join(import.meta.dirname, '../..')

test('a program that has closed its instances ends', async ({ signal }) => {
  const loader = join(root, 'node_modules/tsx/dist/loader.mjs')
  const program = join(import.meta.dirname, 'open-handles.ts')
  // A process that does not end is ended when the test is given up.
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', loader, program, newFolder()], {
    signal,
    env: { ...process.env, VITEST: undefined },
  })
  const ways = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(ways).toHaveLength(11)
  expect(
    ways.filter(({ outcome, open }) => outcome !== 'as expected' || (open as unknown[]).length > 0),
  ).toEqual([])
})
