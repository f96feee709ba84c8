// The servers of tools/bench/monitoring.ts, in one process: says their ports, and on each message how much processor time it has had.

import { mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serveFile } from '../../src/app/serve-file.ts'
import { benchConfig } from './article-model.ts'

export type Started = readonly { readonly name: string; readonly port: number }[]
export type Marked = NodeJS.CpuUsage

const [cache = '0b'] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'cms-run-monitoring-'))
const OFF = { log: { format: 'json', requests: false } }
const variants = {
  off: OFF,
  'off again': OFF,
  metrics: { ...OFF, metrics: true },
  log: { log: { format: 'json', requests: true } },
  'log of a tenth': { log: { format: 'json', requests: 0.1 } },
}

const started: { name: string; port: number }[] = []
for (const [name, more] of Object.entries(variants)) {
  const file = join(folder, `${name}.json`)
  const server = { environment: 'production', port: 0, ...more }
  writeFileSync(file, benchConfig({ server, rest: { cache } }))
  const log = openSync(`${file}.log`, 'w')
  const out = (text: string): void => void writeSync(log, text)
  const io = { out, err: out, report: () => {}, fail: out, colors: false, isTty: false }
  const served = await serveFile({ file, check: { env: {} }, watch: false, io })
  if (!('port' in served)) throw new Error('the server did not start')
  started.push({ name, port: served.port })
}
process.on('message', () => {
  globalThis.gc?.({ type: 'minor' })
  process.send?.(process.cpuUsage() satisfies Marked)
})
process.once('disconnect', () => {
  rmSync(folder, { recursive: true })
  process.exit()
})
process.send?.(started satisfies Started)
