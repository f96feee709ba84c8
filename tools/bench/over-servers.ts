// Reads of cms-run over PostgreSQL and over MySQL or MariaDB, beside a server by hand over the same tables, in turns.
// `npx tsx tools/bench/over-servers.ts [seconds] [rounds]`

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openServerPlace, serversHere } from '../../test/support/servers.ts'
import { benchConfig } from './article-model.ts'
import { drive } from './drive.ts'
import { startProcess } from './start-process.ts'

const [seconds = 3, rounds = 5] = process.argv.slice(2).map(Number)
const local = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'cms-run-servers-'))

const questions = [
  { name: 'one entry', path: '/api/articles/{id}?{again}' },
  { name: 'a list of 25', path: '/api/articles?pagination[start]={start}&{again}' },
  {
    name: 'a list of 25 with two relations',
    path: '/api/articles?populate[0]=author&populate[1]=tags&pagination[start]={start}&{again}',
  },
]

const median = (all: readonly number[]): number =>
  [...all].sort((a, b) => a - b)[all.length >> 1] ?? Number.NaN

for (const client of await serversHere()) {
  const { database, drop } = await openServerPlace(client)
  const file = join(folder, `${client}.json`)
  // Nothing is kept, so that each answer is read.
  writeFileSync(file, benchConfig({ database, rest: { cache: 0 } }))
  const own = await startProcess([local('../../bin/cms-run.js'), file, '--port', '0', '--no-watch'])
  const byHand = await startProcess([
    ...['--import', 'tsx', local('by-hand-over-server.ts')],
    ...[client, database.connection, ...(database.schema === undefined ? [] : [database.schema])],
  ])
  for (const question of questions) {
    const ratios: { readonly clock: number; readonly work: number }[] = []
    let shown = ''
    for (let round = -1; round < rounds; round++) {
      const [one, other] = [await drive(own, [question], seconds), await drive(byHand, [question], seconds)]
      if (one.failed + other.failed > 0)
        throw new Error(`${question.name}: ${one.failed} and ${other.failed} answers failed`)
      if (round < 0) continue
      ratios.push({
        clock: one.perSecond / other.perSecond,
        work: one.perProcessorSecond / other.perProcessorSecond,
      })
      shown = `${one.perSecond.toFixed(0)} beside ${other.perSecond.toFixed(0)} a second`
    }
    const of = (kind: 'clock' | 'work'): string => median(ratios.map((ratio) => ratio[kind])).toFixed(2)
    console.log(
      `${client.padEnd(9)} ${question.name.padEnd(34)} ${of('clock')}x, ${of('work')}x for each processor second (${shown})`,
    )
  }
  await own.stop()
  await byHand.stop()
  await drop()
}
