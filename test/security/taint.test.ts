// The trap that watches every test catches what it must: leaks are planted at each door, in each form.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hash } from '@node-rs/argon2'
import { describe, expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'
import { createLog } from '../../src/observe/log/create-log.ts'
import { createCanaryIndex } from '../support/taint/canary-index.ts'
import { addCanary, searched, takeLeaks } from '../support/taint/trap.ts'

const CANARY = 'planted "canary" & <sister> of 2 birds'
addCanary(CANARY, 'planted')
const planted = (where: string) => ({ where, canaries: ['planted'] })
const padded = (bytes: number) =>
  Buffer.concat([Buffer.alloc(bytes, 'x'), Buffer.from(CANARY), Buffer.from('yz')])

describe('a canary is known', () => {
  test.each([
    ['as it is', CANARY],
    ['in JSON', JSON.stringify({ data: CANARY })],
    ['in JSON within JSON', JSON.stringify(JSON.stringify({ data: CANARY }))],
    [
      'escaped to \\u',
      [...CANARY].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
    ],
    ['in HTML', CANARY.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)],
    ['in a URL', encodeURIComponent(CANARY)],
    ['in a form', new URLSearchParams({ a: CANARY }).toString()],
    ['in a URL twice', encodeURIComponent(encodeURIComponent(CANARY))],
    ['in base64', padded(0).toString('base64')],
    ['in base64, one byte on', padded(1).toString('base64')],
    ['in base64, two bytes on', padded(2).toString('base64')],
    ['in base64url', padded(1).toString('base64url')],
    ['in hexadecimal digits', padded(5).toString('hex')],
    ['in a long answer', `${'x'.repeat(3_000_000)}${CANARY}`],
  ])('%s', (_, text) => {
    const index = createCanaryIndex()
    index.add(CANARY, 'planted')
    expect(index.find(Buffer.from(text))).toEqual(['planted'])
    expect(
      index.find(Buffer.from(text.replaceAll('a', 'b').replaceAll('5', '6').replaceAll('1', '3'))),
    ).toEqual([])
  })

  test('by its looks', async () => {
    const find = (text: string) => createCanaryIndex().find(Buffer.from(text))
    expect(find(JSON.stringify({ password: await hash('whatever') }))).toEqual(['an argon2 hash'])
    expect(find(`x $2a$10$${'a'.repeat(53)}`)).toEqual(['a bcrypt hash'])
    expect(find(`?code=${'0a'.repeat(38)}&`)).toEqual(['a code of a mail'])
    expect(find(`"${'0a'.repeat(32)}", $2, $argon`)).toEqual([])
  })
})

describe('a leak is caught', () => {
  test('in an answer, and in a header', () => {
    new Response(JSON.stringify({ a: CANARY }), { headers: { 'x-a': encodeURIComponent(CANARY) } })
    expect(takeLeaks()).toEqual([planted('answer'), planted('header')])
  })

  test('in an answer in pieces', async () => {
    const pieces = Buffer.from(`x${CANARY}y`)
    const stream = new ReadableStream({
      start(controller) {
        for (const byte of pieces) controller.enqueue(Uint8Array.of(byte))
        controller.close()
      },
    })
    expect(await new Response(stream).text()).toBe(`x${CANARY}y`)
    expect(takeLeaks()).toContainEqual(planted('answer'))
  })

  test('in the bytes of a socket', async () => {
    const server = createServer((_, reply) => {
      reply.write(CANARY.slice(0, 9))
      setImmediate(() => reply.end(CANARY.slice(9)))
    }).listen(0)
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const reply = await fetch(`http://127.0.0.1:${port}`, { headers: { secret: encodeURIComponent(CANARY) } })
    await reply.text()
    server.close()
    // Two chunks, with a length between them; the request, which holds it too, is no leak.
    expect(takeLeaks()).toEqual([])
    const whole = createServer((_, answer) => answer.end(CANARY)).listen(0)
    await once(whole, 'listening')
    await (await fetch(`http://127.0.0.1:${(whole.address() as AddressInfo).port}`)).text()
    whole.close()
    expect(takeLeaks()).toContainEqual(planted('socket'))
  })

  test('in what another process writes', async () => {
    const child = spawn(process.execPath, ['-e', 'process.stderr.write(process.env.CANARY)'], {
      env: { CANARY },
    })
    child.stderr.resume()
    await once(child, 'close')
    expect(takeLeaks()).toEqual([planted('process')])
  })

  test('in the log, even where nobody reads it', () => {
    for (const level of ['info', 'silent']) {
      createLog({ level, format: 'json', colors: false, write: () => {} }).warn({ deep: [CANARY] }, 'oops')
    }
    expect(takeLeaks()).toEqual([planted('log'), planted('log')])
  })

  test('of a configuration and its entries, without being named', async () => {
    const cms = await createCms(
      {
        contentTypes: { note: { attributes: { text: 'string', hidden: { type: 'string', private: true } } } },
        auth: { apiTokens: [{ name: 'a', type: 'full-access', token: 'token-of-the-file' }] },
        data: { note: [{ text: 'open', hidden: 'hidden in the seed' }] },
      },
      { env: {} },
    )
    await cms.entries('note').create({ hidden: 'hidden by a program' })
    await cms.close()
    for (const secret of ['token-of-the-file', 'hidden in the seed', 'hidden by a program']) {
      new Response(secret)
      expect(takeLeaks(), secret).toMatchObject([{ where: 'answer' }])
    }
  })
})

test('the answers of this project are searched', async () => {
  const before = searched().places['answer'] ?? 0
  const cms = await createCms({ contentTypes: {} }, { env: {} })
  await cms.fetch('/api/nothing')
  const { url } = await cms.listen(0, '127.0.0.1')
  await (await fetch(`${url}/api/nothing`)).text()
  await cms.close()
  const { places } = searched()
  expect((places['answer'] ?? 0) - before).toBe(1)
  expect(places['socket']).toBeGreaterThan(0)
})
