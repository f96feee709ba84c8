import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'
import { runCommand } from '../support/run-command.ts'

let cwd: string

async function configure(database: string): Promise<void> {
  await writeFile(
    join(cwd, 'cms.yaml'),
    `database: ${database}
contentTypes: { note: { attributes: { text: { type: string, unique: true } } } }
auth: { roles: { public: { permissions: ['note.*'] } } }
`,
  )
}

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'cms-run-backup-'))
  await configure('{ client: sqlite, filename: .data/cms.db }')
})
afterEach(() => rm(cwd, { recursive: true, force: true }))

test('a copy of one moment is made while the server writes, and can be served', async () => {
  const cms = await createCms(join(cwd, 'cms.yaml'), { env: {} })
  let written = 0
  let stopped = false
  const writer = (async () => {
    for (let number = 1; !stopped; number++) {
      await cms.entries('note').create({ text: `note ${number}` })
      written = number
    }
  })()
  while (written < 50) await new Promise(setImmediate)
  const before = written
  const { code, out, err } = await runCommand(
    ['backup', join(cwd, 'cms.yaml'), '--to', 'copy.db', '--json'],
    { cwd },
  )
  const after = written
  stopped = true
  await writer
  await cms.close()
  expect([code, err]).toEqual([0, ''])
  expect(JSON.parse(out)).toEqual({
    ok: true,
    diagnostics: [],
    database: join(cwd, '.data/cms.db'),
    backup: join(cwd, 'copy.db'),
    bytes: expect.any(Number),
  })
  const copy = await createCms(join(cwd, 'cms.yaml'), { env: {}, database: { filename: 'copy.db' } })
  const notes = await copy.entries('note').findMany({ limit: -1 })
  await copy.close()
  expect(notes.length).toBeGreaterThanOrEqual(before)
  expect(notes.length).toBeLessThanOrEqual(after + 1)
  expect(notes.map(({ text }) => text)).toEqual(notes.map((_, index) => `note ${index + 1}`))
})

test('without --to it stands beside the file, with the moment in its name', async () => {
  await (await createCms(join(cwd, 'cms.yaml'), { env: {} })).close()
  const { code, out } = await runCommand(['backup', join(cwd, 'cms.yaml')], { cwd })
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/cms-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.db: \d+ bytes\n$/),
  ])
  expect(existsSync(out.split(':')[0] ?? '')).toBe(true)
})

test('what is not to be had is said, and leaves nothing behind', async () => {
  const refused = async (...more: string[]) => {
    const { code, err } = await runCommand(['backup', join(cwd, 'cms.yaml'), ...more], { cwd })
    expect(code).toBe(1)
    return err
  }
  expect(await refused()).toMatch(/the database .* does not exist yet/)
  await (await createCms(join(cwd, 'cms.yaml'), { env: {} })).close()
  await writeFile(join(cwd, 'there.db'), '')
  expect(await refused('--to', 'there.db')).toMatch(/exists already/)
  expect(await refused('--to', 'no/such/copy.db')).toMatch(/cannot be/)
  await writeFile(join(cwd, '.data/cms.db'), 'no database. '.repeat(100))
  expect(await refused('--to', 'copy.db')).toMatch(/is not a database, or is damaged/)
  expect(await readdir(cwd)).not.toContain('copy.db.partial')
  await configure('{ client: memory }')
  expect(await refused()).toMatch(/in memory/)
})
