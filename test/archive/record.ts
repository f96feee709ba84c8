// Writes what recorded.test.ts reads, `recorded/<version>.tar.gz`, and the database file it came from: once for each release.
// Run from the root: `npx tsx test/archive/record.ts`. What is there is never written again.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { createCms } from '../../src/index.ts'
import { runCommand } from '../support/run-command.ts'
import { everything } from './content-of-everything.ts'

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
const to = join(import.meta.dirname, 'recorded')
if (existsSync(join(to, `${version}.tar.gz`))) throw new Error(`${version} is recorded`)
mkdirSync(to, { recursive: true })
const folder = mkdtempSync(join(tmpdir(), 'cms-record-'))
const file = join(folder, 'cms.yaml')
mkdirSync(join(folder, 'uploads'))
for (const key of ['a_1.png', 'thumbnail_a_1.png', 'b_2.txt'])
  writeFileSync(join(folder, 'uploads', key), key)
writeFileSync(file, `database: { client: sqlite, filename: cms.db }\n${everything}`)
const cms = await createCms(file, { env: {} })
await cms.close()
const archive = join(to, `${version}.tar.gz`)
const { code, err } = await runCommand(['export', file, '--to', archive], { cwd: folder })
if (code !== 0) throw new Error(err)
writeFileSync(join(to, `${version}.db.gz`), gzipSync(readFileSync(join(folder, 'cms.db')), { level: 9 }))
rmSync(folder, { recursive: true })
