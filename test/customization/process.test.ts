// Users' code that fails where nobody waits for it, in a process of its own: it is logged with its file, and the server
// goes on.

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const bin = join(dirname(fileURLToPath(import.meta.url)), '../../bin/cms-run.js')
const CONFIG = `
server: { port: 0, log: { format: json } }
contentTypes: { note: { attributes: { text: string } } }
extensions: ./extensions.ts
routes: [{ path: /fail, handler: ./fail.ts, auth: false }]
auth: { roles: { public: { permissions: [note.find, note.create] } } }
`

let directory: string
let children: ChildProcess[]

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'cms-process-'))
  children = []
  write('cms.yaml', CONFIG)
  write('extensions.ts', 'export const bootstrap = () => {}')
  write('fail.ts', 'export default () => ({})')
})
afterEach(async () => {
  for (const child of children) {
    if (child.exitCode !== null) continue
    child.kill('SIGKILL')
    await new Promise((resolve) => child.once('exit', resolve))
  }
  rmSync(directory, { recursive: true, force: true })
})

function write(name: string, text: string): void {
  writeFileSync(join(directory, name), text)
}

async function start(args: readonly string[] = ['cms.yaml']) {
  const child = spawn(process.execPath, [bin, ...args], { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const until = async (what: RegExp): Promise<string> => {
    for (;;) {
      const found = what.exec(said)
      if (found !== null) return found[1] ?? found[0]
      if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${said}`)
      await wait(20)
    }
  }
  return { said: () => said, ended, until, stop: () => child.kill('SIGTERM') }
}

describe('a fault that nobody waits for', () => {
  const inTimer = 'setTimeout(() => { throw new TypeError("from a timer") }, 5)'
  const rejected = 'void (async () => { await null; throw new TypeError("not awaited") })()'

  test.each([
    [
      'a throw in a timer of a handler',
      'fail.ts',
      inTimer,
      /threw an uncaught error.*TypeError: from a timer at fail\.ts:2:/,
    ],
    ['a rejection of a handler', 'fail.ts', rejected, /unhandled: TypeError: not awaited at fail\.ts:2:/],
    [
      'a rejection that is no error',
      'fail.ts',
      'void Promise.reject("just a text")',
      /unhandled: just a text; the server goes on/,
    ],
    [
      'an event that nothing listens to',
      'fail.ts',
      'import("node:net").then(({ connect }) => connect(1, "127.0.0.1"))',
      /threw an uncaught error.*ECONNREFUSED/,
    ],
    ['a lifecycle', 'extensions.ts', rejected, /unhandled: TypeError: not awaited at extensions\.ts:3:/],
  ])('%s', async (_name, file, line, logged) => {
    if (file === 'fail.ts') write(file, `export default () => {\n${line}\nreturn {} }`)
    else write(file, `export const lifecycles = { note: { beforeCreate() {\n;\n${line} } } }`)
    const server = await start()
    const url = await server.until(/listening on (http:\S+?)"/)
    const ask = async () =>
      file === 'fail.ts'
        ? (await fetch(`${url}/api/fail`)).status
        : (
            await fetch(`${url}/api/notes`, {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: '{"data":{"text":"x"}}',
            })
          ).status
    for (let count = 0; count < 30; count += 1) expect(await ask()).toBe(200)
    await server.until(logged)
    expect((await fetch(`${url}/api/notes`)).status).toBe(200)
    expect(server.said().match(/the server goes on/g)?.length).toBeLessThanOrEqual(10)
    server.stop()
    expect(await server.ended).toBe(0)
  })

  test('while it starts', async () => {
    write('extensions.ts', `${rejected}\n${inTimer}\nexport const bootstrap = () => {}`)
    const server = await start()
    const url = await server.until(/listening on (http:\S+?)"/)
    await server.until(/not awaited at extensions\.ts:1:/)
    await server.until(/from a timer at extensions\.ts:2:/)
    expect((await fetch(`${url}/api/notes`)).status).toBe(200)
  })
})

test('a package that lacks what is imported from it is told like every fault of a file', async () => {
  write('fail.ts', 'import { nothing } from "node:path"\nexport default nothing')
  const command = await start(['validate', 'cms.yaml'])
  expect(await command.ended).toBe(1)
  expect(command.said()).toMatch(/USR002[\s\S]*does not provide an export named 'nothing'/)
})

test('a file that loops for ever at its top level is named, and the server does not start', async () => {
  write('fail.ts', 'import "./loops.ts"\nexport default () => ({})')
  write('loops.ts', 'for (;;) {}\nexport {}')
  const server = await start()
  expect(await server.ended).toBe(1)
  expect(server.said()).toMatch(/USR002[\s\S]*loading "fail\.ts" was not done after 10 seconds/)
})
