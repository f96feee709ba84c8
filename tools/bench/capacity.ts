// What one process answers over each database: reads that are not repeated, reads that are, and creates, for each second
// of the server's processor time and for each second of the clock. `npx tsx tools/bench/capacity.ts [seconds] [rounds]`

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ask } from '../../test/support/postgres.ts'
import { benchConfig } from './article-model.ts'
import { drive } from './drive.ts'
import { startProcess } from './start-process.ts'

const [seconds = 4, rounds = 3] = process.argv.slice(2).map(Number)
const bin = fileURLToPath(new URL('../../bin/cms-run.js', import.meta.url))
const connection = process.env['CMS_TEST_POSTGRES'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const schema = `cms_bench_${process.pid}`
const folder = mkdtempSync(join(tmpdir(), 'cms-run-capacity-'))

const databases = {
  memory: { client: 'memory' },
  sqlite: { client: 'sqlite', filename: join(folder, 'cms.db') },
  postgres: { client: 'postgres', connection, schema },
}
const questions = [
  { name: 'one entry', path: '/api/articles/{id}?{again}' },
  { name: 'one entry, repeated', path: '/api/articles/17' },
  {
    name: 'a list of 25, a relation populated',
    path: '/api/articles?populate=author&pagination[start]={start}&{again}',
  },
  { name: 'a create', path: '/api/articles', body: '{"data":{"title":"Number {n}"}}' },
]

const median = (all: readonly number[]): number =>
  [...all].sort((a, b) => a - b)[all.length >> 1] ?? Number.NaN

try {
  for (const [name, database] of Object.entries(databases)) {
    const file = join(folder, `${name}.json`)
    writeFileSync(file, benchConfig({ database }))
    const server = await startProcess([bin, file, '--port', '0', '--no-watch'])
    for (const question of questions) {
      const figures = []
      await drive(server, [question], 1)
      for (let round = 0; round < rounds; round++) figures.push(await drive(server, [question], seconds))
      const work = median(figures.map(({ perProcessorSecond }) => perProcessorSecond)).toFixed(0)
      const clock = median(figures.map(({ perSecond }) => perSecond)).toFixed(0)
      const failed = figures.reduce((sum, one) => sum + one.failed, 0)
      console.log(
        `${name.padEnd(9)} ${question.name.padEnd(36)} ${work} a processor second, ${clock} a second, ${failed} failed`,
      )
    }
    await server.stop()
  }
} finally {
  await ask(connection, `drop schema if exists "${schema}" cascade`)
}
