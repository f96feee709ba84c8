// What a process that was killed left behind is removed at the next start; what others still write to is not.

import { fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createCms } from '../../src/index.ts'
import { spoolFolder, sweepSpools, TEMPORARY_SPOOL } from '../../src/plugins/upload/spool-folder.ts'

const root = join(import.meta.dirname, '../..')
const DAY = 24 * 60 * 60 * 1000

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cms-spool-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function filesIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  return found.filter((entry) => entry.isFile()).map(({ name }) => name)
}

const configIn = (folder: string) => ({
  contentTypes: { shelf: { attributes: { label: 'string' } } },
  plugins: {
    upload: { config: { provider: 'local', providerOptions: { directory: join(folder, 'files') } } },
  },
  auth: { roles: { public: { permissions: ['plugin::upload.content-api.upload'] } } },
})

/** A server in a process of its own that has received half of a file. */
async function killedDuringUpload(folder: string): Promise<void> {
  const script = join(folder, 'serve.mts')
  await writeFile(
    script,
    `import { createCms } from ${JSON.stringify(join(root, 'src/index.ts'))}
const cms = await createCms(${JSON.stringify(configIn(folder))}, { env: {} })
process.send((await cms.listen(0, '127.0.0.1')).port)`,
  )
  const child = fork(script, { cwd: root, execArgv: ['--import', 'tsx'] })
  const port = await new Promise<number>((resolve) =>
    child.once('message', (message) => resolve(Number(message))),
  )
  const socket = connect({ port, host: '127.0.0.1' }).on('error', () => {})
  const part = '--x\r\ncontent-disposition: form-data; name="files"; filename="a.bin"\r\n\r\n'
  socket.write(
    `POST /api/upload HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: 9000000\r\n\r\n${part}`,
  )
  socket.write(Buffer.alloc(2_000_000))
  const waiting = join(folder, 'files/.incoming')
  while (!existsSync(waiting) || (await filesIn(waiting)).length === 0)
    await new Promise((resolve) => setTimeout(resolve, 10))
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
  socket.destroy()
}

test('a server killed during an upload, started again', async () => {
  const folder = await newFolder()
  await killedDuringUpload(folder)
  const waiting = join(folder, 'files/.incoming')
  expect(await filesIn(waiting)).toHaveLength(1)
  const cms = await createCms(configIn(folder), { env: {} })
  await cms.close()
  expect(await readdir(waiting)).toEqual([])
})

test('only what is certainly left is removed', async () => {
  const base = await newFolder()
  const own = await spoolFolder(base)
  const neighbours = basename(own).split('-')[0]
  const child = fork(join(await newFolder(), 'none.mjs'), { silent: true })
  await new Promise((resolve) => child.once('exit', resolve))
  const now = Date.now()
  const put = async (folder: string, name: string, age: number): Promise<string> => {
    await mkdir(join(base, folder), { recursive: true })
    const path = join(base, folder, name)
    await writeFile(path, 'x')
    await utimes(path, (now - age) / 1000, (now - age) / 1000)
    return name
  }
  const kept = [
    await put(basename(own), 'of-this-process', 0),
    await put(`${neighbours}-${process.ppid}`, 'of-one-that-lives', DAY / 2),
    await put('0123456789ab-1', 'of-another-machine', DAY / 2),
    await put('.', 'in-no-folder', DAY / 2),
    await put('somebodys-folder', 'somebodys', 9 * DAY),
  ]
  await put(basename(own), 'of-an-earlier-process-of-this-id', process.uptime() * 1000 + 5000)
  await put(`${neighbours}-${child.pid}`, 'of-one-that-is-gone', 0)
  await put('0123456789ab-2', 'old-of-another-machine', 2 * DAY)
  await put('.', 'old-in-no-folder', 2 * DAY)
  await sweepSpools(base, now)
  expect((await filesIn(base)).sort()).toEqual(kept.sort())
  expect(await readdir(base)).not.toContain('0123456789ab-2')
  await sweepSpools(join(base, 'nowhere'), now)
})

test('the temporary place is the own of this user', async () => {
  await spoolFolder(TEMPORARY_SPOOL)
  expect((await stat(TEMPORARY_SPOOL)).mode & 0o077).toBe(0)
})
