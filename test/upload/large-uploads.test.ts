// Two hundred megabytes, held by nobody: measured in a process of its own. What is held is what can be reached: the
// collector of V8 lets some 32 MB of dead pieces pile up before it looks, which the resident size shows.

import { type ChildProcess, fork } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { transportsHere } from '../support/transports.ts'

const MEGABYTE = 1024 * 1024
const SIZE = 200 * MEGABYTE
const root = join(import.meta.dirname, '../..')

/** Held at any time, by the process's own account behind a collection. */
const MOST_HELD = 24 * MEGABYTE
/** More than before in the resident size, dead pieces included: the V8 of Node 24 lets twice as many pile up. */
const MOST_RESIDENT = (process.versions.node.startsWith('20.') ? 48 : 88) * MEGABYTE

test.each(transportsHere)('over %s 200 MB are uploaded and downloaded within bounds', async (transport) => {
  const directory = await mkdtemp(join(tmpdir(), 'cms-large-'))
  const server = await start(directory, transport)
  try {
    // What a first upload loads stays loaded.
    expect((await upload(server.port, 2 * MEGABYTE)).status).toBe(200)
    const before = await peakOf(server.process, true)
    const { status, body } = await upload(server.port, SIZE)
    const resident = (await peakOf(server.process)) - before
    expect([status, body]).toEqual([200, expect.stringContaining('"size":209715.2')])
    const { url } = (JSON.parse(body) as { url: string }[])[0] ?? { url: '' }
    expect((await stat(join(directory, 'files', url.slice('/uploads/'.length)))).size).toBe(SIZE)
    const uploading = await server.heldDuring(() => upload(server.port, SIZE))
    const downloading = await server.heldDuring(async () => {
      expect(await download(server.port, url)).toBe(SIZE)
    })
    process.stdout.write(
      `${transport}: resident +${megabytes(resident)} MB; held: upload +${megabytes(uploading)} MB, download +${megabytes(downloading)} MB\n`,
    )
    expect(uploading).toBeLessThan(MOST_HELD)
    expect(downloading).toBeLessThan(MOST_HELD)
    expect(resident).toBeLessThan(MOST_RESIDENT)
    const waiting = await readdir(join(directory, 'files', '.incoming'), {
      recursive: true,
      withFileTypes: true,
    })
    expect(waiting.filter((entry) => entry.isFile())).toEqual([])
  } finally {
    server.process.kill()
    await rm(directory, { recursive: true, force: true })
  }
})

function megabytes(bytes: number): string {
  return (bytes / MEGABYTE).toFixed(1)
}

interface Started {
  readonly process: ChildProcess
  readonly port: number
  /** The largest growth of what the process can reach while `work` runs. */
  heldDuring(work: () => Promise<unknown>): Promise<number>
}

async function start(directory: string, transport: string): Promise<Started> {
  const config = {
    server: { limits: { upload: '250mb' } },
    contentTypes: { shelf: { attributes: { label: 'string' } } },
    plugins: {
      upload: {
        config: { provider: 'local', providerOptions: { directory: './files' }, sizeLimit: '250mb' },
      },
    },
    auth: { roles: { public: { permissions: ['plugin::upload.content-api.upload'] } } },
  }
  await writeFile(join(directory, 'cms.yaml'), stringify(config))
  const script = `import { createCms } from ${JSON.stringify(join(root, 'src/index.ts'))}
const cms = await createCms(${JSON.stringify(join(directory, 'cms.yaml'))}, { env: {}, transport: ${JSON.stringify(transport)} })
// Memory of buffers is given back behind a collection, in a thread of its own: the second look sees it gone.
const held = async () => {
  gc()
  await new Promise((resolve) => setTimeout(resolve, 20))
  gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
let first = 0
let most = 0
let looking = false
process.on('message', async (message) => {
  if (message === 'begin') {
    first = most = await held()
    looking = true
    const look = async () => {
      most = Math.max(most, await held())
      if (looking) setTimeout(look, 300)
    }
    look()
    process.send(0)
  } else {
    looking = false
    process.send(most - first)
  }
})
process.send((await cms.listen(0, '127.0.0.1')).port)`
  await writeFile(join(directory, 'serve.mts'), script)
  const child = fork(join(directory, 'serve.mts'), {
    cwd: root,
    execArgv: ['--expose-gc', '--import', 'tsx'],
  })
  const answer = (): Promise<number> =>
    new Promise((resolve, reject) => {
      child.once('message', (message) => resolve(Number(message)))
      child.once('exit', () => reject(new Error('the server ended')))
    })
  return {
    process: child,
    port: await answer(),
    async heldDuring(work) {
      child.send('begin')
      await answer()
      await work()
      child.send('end')
      return answer()
    },
  }
}

/** The largest resident size so far, by the kernel; `anew` begins to count here. */
async function peakOf({ pid }: ChildProcess, anew = false): Promise<number> {
  if (anew) await writeFile(`/proc/${pid}/clear_refs`, '5')
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}

function upload(port: number, size: number): Promise<{ status: number; body: string }> {
  const head =
    '--x\r\ncontent-disposition: form-data; name="files"; filename="a.bin"\r\ncontent-type: application/x-a\r\n\r\n'
  const tail = '\r\n--x--\r\n'
  const piece = Buffer.alloc(256 * 1024, 'y')
  return new Promise((resolve, reject) => {
    const sending = request(
      `http://127.0.0.1:${port}/api/upload`,
      {
        method: 'POST',
        headers: {
          'content-type': 'multipart/form-data; boundary=x',
          'content-length': head.length + size + tail.length,
        },
      },
      (response) => {
        let body = ''
        response.on('data', (chunk) => {
          body += String(chunk)
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
      },
    )
    sending.on('error', reject)
    sending.write(head)
    let left = size
    const send = (): void => {
      while (left > 0) {
        const next = piece.subarray(0, Math.min(piece.length, left))
        left -= next.length
        if (!sending.write(next)) return void sending.once('drain', send)
      }
      sending.end(tail)
    }
    send()
  })
}

function download(port: number, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request(`http://127.0.0.1:${port}${path}`, (response) => {
      let received = 0
      response.on('data', (chunk: Buffer) => {
        received += chunk.length
      })
      response.on('end', () => resolve(received))
      response.on('error', reject)
    }).end()
  })
}
