// What docs/reference/databases.md says of a file: its configuration keeps entries over a restart, one process has it, and a
// backup can be put back.

import { copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'
import { runCommand } from '../support/run-command.ts'

const page = readFileSync(
  join(dirname(fileURLToPath(import.meta.url)), '../../docs/reference/databases.md'),
  'utf8',
)
const settings = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, text = '']) => text)

test('the page holds', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'cms-run-docs-'))
  const file = join(directory, 'cms.yaml')
  const database = settings.find((text) => text.includes('client: sqlite'))
  writeFileSync(file, `${database}contentTypes: { note: { attributes: { text: string } } }\n`)
  const texts = async (): Promise<unknown[]> => {
    await using cms = await createCms(file, { env: {} })
    return (await cms.entries('note').findMany({})).map(({ text }) => text)
  }

  {
    await using cms = await createCms(file, { env: {} })
    await cms.entries('note').create({ text: 'kept' })
    await expect(createCms(file, { env: {} })).rejects.toThrow('is in use by another process')
    expect((await runCommand(['plan', file], { cwd: directory })).out).toContain('nothing would change')
  }
  expect(await texts()).toEqual(['kept'])

  expect((await runCommand(['backup', file, '--to', 'copy.db'], { cwd: directory })).code).toBe(0)
  {
    await using cms = await createCms(file, { env: {} })
    await cms.entries('note').create({ text: 'not in the backup' })
  }
  const data = join(directory, '.data')
  renameSync(data, `${data}-before`)
  await createCms(file, { env: {} }).then((cms) => cms.close())
  for (const ending of ['', '-wal', '-shm']) rmSync(join(data, `cms.db${ending}`), { force: true })
  copyFileSync(join(directory, 'copy.db'), join(data, 'cms.db'))
  expect(await texts()).toEqual(['kept'])
  rmSync(directory, { recursive: true })
})
