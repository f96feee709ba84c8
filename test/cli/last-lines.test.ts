// Lines of requests are collected and written together: those that wait are written when the process ends, however it ends. The
// request that ends the process is sent at the answer to the other, whose line still waits then.

import { spawn } from 'node:child_process'
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const ownFrame = JSON.stringify(`Error: broken\n    at serve (${join(root, 'src/app/current-app.ts')}:1:1)`)

const WAYS: Readonly<Record<string, readonly [code: string, exit: number]>> = {
  SIGTERM: ["process.kill(process.pid, 'SIGTERM')", 0],
  'a second SIGTERM': [
    "process.kill(process.pid, 'SIGTERM'); process.kill(process.pid, 'SIGTERM'); return new Promise(() => {})",
    1,
  ],
  'code of the user that exits': ['process.exit(3)', 3],
  'an internal error': [
    `process.nextTick(() => { throw Object.assign(new Error('broken'), { stack: ${ownFrame} }) })`,
    1,
  ],
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cms-run-lines-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each(Object.entries(WAYS))('%s', async (name, [code, exit]) => {
  const at = mkdtempSync(join(folder, 'way-'))
  writeFileSync(join(at, 'end.ts'), `export default () => { ${code}; return {} }\n`)
  writeFileSync(
    join(at, 'cms.yaml'),
    `server: { log: { format: json, requests: true } }
contentTypes: { note: { text: string } }
routes: [{ path: /end, handler: ./end.ts, auth: false }]
`,
  )
  const log = join(at, 'log')
  const out = openSync(log, 'w')
  const child = spawn(
    process.execPath,
    [join(root, 'bin/cms-run.js'), 'cms.yaml', '--port', '0', '--no-watch'],
    { cwd: at, stdio: ['ignore', out, 'ignore'] },
  )
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  let port: string | undefined
  while (port === undefined) {
    await wait(20)
    port = /listening on http:\/\/localhost:(\d+)/.exec(readFileSync(log, 'utf8'))?.[1]
    if (child.exitCode !== null) throw new Error(`it ended before: ${readFileSync(log, 'utf8')}`)
  }
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
  const head = 'HTTP/1.1\r\nhost: a\r\n\r\n'
  socket.once('data', () => socket.write(`GET /api/end ${head}`)).write(`GET /api/notes?last ${head}`)
  expect(await ended, name).toBe(exit)
  socket.destroy()
  const lines = readFileSync(log, 'utf8').trim().split('\n')
  const requests = lines.map((line) => JSON.parse(line)).filter(({ message }) => message === 'request')
  // Lines that are being written as the process ends come after those that wait.
  expect(requests).toContainEqual(expect.objectContaining({ path: '/api/notes', status: 403 }))
})
