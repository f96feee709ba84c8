// 100 saves of the file while a load of requests runs: requests that failed, connections that were dropped, and the
// time from the save to the first answer that shows it.

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startLoad } from '../../test/support/start-load.ts'
import { startProcess } from './start-process.ts'

const here = dirname(fileURLToPath(import.meta.url))

export async function reloadUnderLoad(edits = 100): Promise<void> {
  const file = join(mkdtempSync(join(tmpdir(), 'cms-run-reload-')), 'cms.yaml')
  writeFileSync(file, configWith(0))
  const server = await startProcess([join(here, '../../dist/cli.js'), file, '--port', '0'])
  const load = startLoad(`${server.url}/api/notes`, 16)
  const times: number[] = []
  await new Promise((resolve) => setTimeout(resolve, 500))
  for (let edit = 1; edit <= edits; edit++) {
    const saved = performance.now()
    writeFileSync(file, configWith(edit))
    while ((await fetch(`${server.url}/api/notes?fields=field${edit}`)).status !== 200) {
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    times.push(performance.now() - saved)
  }
  const result = await load.stop()
  await server.stop()
  times.sort((a, b) => a - b)
  const at = (share: number): string =>
    (times[Math.floor(share * (times.length - 1))] ?? Number.NaN).toFixed(0)
  console.log(
    `\n${edits} edits under load: ${result.requests} requests, ${result.failed} failed, ${result.dropped} connections dropped; ` +
      `save to visible: median ${at(0.5)} ms, p99 ${at(0.99)} ms, most ${at(1)} ms`,
  )
}

function configWith(edit: number): string {
  return `server: { log: { format: json } }
contentTypes:
  note:
    attributes: { text: string, field${edit}: string }
auth: { roles: { public: { permissions: [note.find] } } }
data:
  note: [{ text: one }, { text: two }]
`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await reloadUnderLoad()
