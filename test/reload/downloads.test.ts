// A file that is being sent while the configuration changes keeps the generation that it was asked of: what only that
// one knows is dropped when the last byte is out, or its reader has gone.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import Libsql from 'libsql'
import { afterEach, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { openSocket, type RawSocket } from '../contract/http/raw-socket.ts'
import { transportsHere } from '../support/transports.ts'
import { answerOf, form } from '../upload/open-library.ts'

/** More than the sockets of both sides hold. */
const LARGE = 24_000_000

const configWith = (attributes: string): string => `
contentTypes:
  note: { attributes: { text: string${attributes} } }
plugins: { upload: { config: { provider: local, providerOptions: { directory: ./files } } } }
database: { client: sqlite, filename: ./content.db, migrations: { destructive: apply } }
server: { limits: { upload: 50mb } }
auth: { roles: { public: { permissions: ['note.*', 'plugin::upload.content-api.*'] } } }
`

describe.each(transportsHere)('over %s', (transport) => {
  let directory: string
  let cms: Cms
  let port: number
  let url: string

  afterEach(async () => {
    await cms.close()
    rmSync(directory, { recursive: true, force: true })
  })

  async function open(): Promise<void> {
    directory = mkdtempSync(join(tmpdir(), 'cms-run-downloads-'))
    writeFileSync(join(directory, 'cms.yaml'), configWith(', old: string'))
    cms = await createCms(join(directory, 'cms.yaml'), { env: {}, transport })
    const base = (await cms.listen(0, '127.0.0.1')).url
    port = Number(new URL(base).port)
    const bytes = new Uint8Array(LARGE).fill(97)
    const body = form({ name: 'files', file: { name: 'large.bin', type: 'application/octet-stream', bytes } })
    const answer = await answerOf(await fetch(`${base}/api/upload`, { method: 'POST', body }))
    url = String((answer.body as unknown as { url: string }[])[0]?.url)
  }

  /** Asks for the file and reads nothing of it. */
  async function download(): Promise<RawSocket> {
    const raw = await openSocket(port)
    await raw.write(`GET ${url} HTTP/1.1\r\nhost: x\r\n\r\n`)
    while (raw.text() === '') await wait(2)
    raw.socket.pause()
    return raw
  }

  async function edit(): Promise<void> {
    writeFileSync(join(directory, 'cms.yaml'), configWith(', fresh: string'))
    await cms.reload()
    expect((await cms.fetch('/api/notes?fields=fresh')).status).toBe(200)
  }

  function columns(): readonly string[] {
    const database = new Libsql(join(directory, 'content.db'), { readonly: true })
    try {
      return (
        database.prepare('select name from pragma_table_info(?)').all('notes') as { name: string }[]
      ).map(({ name }) => name)
    } finally {
      database.close()
    }
  }

  const holdsOld = (): boolean => columns().includes('old')

  test('a slow reader gets all of the file', async () => {
    await open()
    const raw = await download()
    await edit()
    await wait(300)
    expect(columns()).toEqual(expect.arrayContaining(['old', 'fresh']))
    let received = raw.text().length
    raw.socket.removeAllListeners('data')
    raw.socket.on('data', (chunk) => {
      received += chunk.length
    })
    raw.socket.resume()
    while (received < LARGE) await wait(5)
    while (holdsOld()) await wait(5)
    raw.socket.destroy()
  })

  test('a reader that goes away keeps nothing', async () => {
    await open()
    const raw = await download()
    await edit()
    await wait(300)
    expect(holdsOld()).toBe(true)
    raw.socket.resetAndDestroy()
    while (holdsOld()) await wait(5)
    expect((await cms.fetch('/api/notes')).status).toBe(200)
  })

  test('without readers it is dropped at once', async () => {
    await open()
    await edit()
    while (holdsOld()) await wait(5)
  })
})
