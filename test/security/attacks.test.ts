// Hostile requests, over both transports: each is answered as expected, none by a 5xx, none by silence where an
// answer is due; the server lives on, and nothing private is in any byte of any answer or log line.

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { transportsHere } from '../support/transports.ts'
import { allowances } from './allowances.ts'
import { type Attack, bytesOf, type Placeholders } from './attack.ts'
import { type RawReply, sendRaw } from './raw-request.ts'

const recorded = join(dirname(fileURLToPath(import.meta.url)), 'recorded')
const attacks = JSON.parse(readFileSync(join(recorded, 'attacks.json'), 'utf8')) as readonly Attack[]
const config = readFileSync(join(recorded, 'cms.yaml'), 'utf8')

const SECRET = /jwtSecret: ([\w-]+)/.exec(config)?.[1] ?? ''
const CANARIES = ['CANARY-ART-SECRET', 'CANARY-RESET', 'CANARY-CONFIRM', '$argon2', SECRET]

const classes = new Map<string, Attack[]>()
for (const attack of attacks) {
  classes.set(attack.class, [...(classes.get(attack.class) ?? []), attack])
}

describe.each(transportsHere)('over %s', (transport) => {
  let cms: Cms
  let port: number
  let log: string
  let placeholders: Placeholders

  async function start(text: string): Promise<void> {
    log = ''
    cms = await createCms(await written(text), {
      env: {},
      transport,
      log: (line) => {
        log += line
      },
    })
    ;({ port } = await cms.listen(0, '127.0.0.1'))
    placeholders = await placeholdersFor(port)
  }

  describe.each([...classes].filter(([name]) => name !== 'ratelimit'))('%s', (_name, members) => {
    beforeAll(() => start(config))
    afterAll(async () => {
      await cms.close()
      for (const canary of CANARIES) expect(log).not.toContain(canary)
      expect(Object.keys(Object.prototype)).toEqual([])
    })

    const replies = new Map<string, RawReply>()

    test.each(members.map((attack) => [attack.id, attack] as const))('%s', async (id, attack) => {
      for (let count = 1; count <= (attack.repeat ?? 1); count++) {
        const patience = attack.rawBase64 === undefined ? undefined : 2500
        const reply = await sendRaw(port, bytesOf(attack, placeholders, count), patience)
        replies.set(id, reply)
        judge(attack, reply, transport)
      }
      const { sameAs } = attack.expect
      if (sameAs !== undefined) {
        const twin = replies.get(sameAs)
        if (twin !== undefined)
          expect(comparable(replies.get(id)), attack.expect.note).toEqual(comparable(twin))
      }
      expect((await sendRaw(port, Buffer.from('GET /_health HTTP/1.1\r\nhost: a\r\n\r\n'))).text).toContain(
        ' 204 ',
      )
    })
  })

  test('ratelimit: a few attempts, then 429 with Retry-After, whatever the spelling', async () => {
    await start(
      config.replace('ratelimit: { enabled: false }', 'ratelimit: { enabled: true, interval: 5min, max: 5 }'),
    )
    for (const attack of classes.get('ratelimit') ?? []) {
      let passed = 0
      for (let count = 1; count <= (attack.repeat ?? 1); count++) {
        const reply = await sendRaw(port, bytesOf(attack, placeholders, count))
        judge(attack, reply, transport)
        if (reply.status === 400 || reply.status === 200) passed += 1
        if (reply.status === 429) expect(reply.headers.map(([name]) => name)).toContain('retry-after')
      }
      expect(passed, `${attack.id} ${attack.expect.note}`).toBeLessThanOrEqual(5)
    }
    await cms.close()
  })
})

function judge(attack: Attack, reply: RawReply, transport: 'uws' | 'node'): void {
  const { expect: expected } = attack
  const label = `${attack.id}: ${expected.note}\n${reply.text.slice(0, 600)}`
  const allowed = allowances.get(attack.id)
  const statuses = [...expected.statusIn, ...(allowed?.statuses ?? [])]
  // Where the transport refuses without a word, the connection is closed: nothing was served.
  if (attack.rawBase64 !== undefined && transport === 'uws') statuses.push(0)
  expect(statuses, label).toContain(reply.status)
  expect(reply.status, label).toBeLessThan(500 + Number(expected.statusIn.includes(reply.status)) * 100)
  for (const text of expected.bodyMustNotContain) expect(reply.text, label).not.toContain(text)
  for (const canary of CANARIES) expect(reply.text, label).not.toContain(canary)
  for (const text of expected.bodyMustContain ?? []) expect(reply.body, label).toContain(text)
  const head = reply.headers.map(([name, value]) => `${name}: ${value}`.toLowerCase()).join('\n')
  for (const text of expected.headersMustContain ?? []) expect(head, label).toContain(text)
  for (const text of expected.headersMustNotContain ?? []) {
    // This build of uWebSockets.js names itself; the expectation says so.
    if (!(transport === 'uws' && text.startsWith('uwebsockets'))) expect(head, label).not.toContain(text)
  }
}

/** Status, headers without the moment and the request's id, body. */
function comparable(reply: RawReply | undefined): unknown {
  const headers = reply?.headers.filter(([name]) => name !== 'date' && name !== 'x-request-id')
  return { status: reply?.status, headers, body: reply?.body }
}

async function written(text: string): Promise<string> {
  const { mkdtemp, writeFile } = await import('node:fs/promises')
  const { tmpdir } = await import('node:os')
  const file = join(await mkdtemp(join(tmpdir(), 'cms-run-attacks-')), 'cms.yaml')
  await writeFile(file, text)
  return file
}

async function placeholdersFor(port: number): Promise<Placeholders> {
  const now = Math.floor(Date.now() / 1000)
  const month = now + 30 * 86_400
  const sign = (claims: Record<string, unknown>, alg = 'HS256'): Promise<string> =>
    new SignJWT(claims).setProtectedHeader({ alg, typ: 'JWT' }).sign(Buffer.from(SECRET))
  const old = await sign({ id: 2, iat: now - 100, exp: month })
  const changed = JSON.stringify({
    currentPassword: 'Passw0rd!bob',
    password: 'Passw0rd!bob2',
    passwordConfirmation: 'Passw0rd!bob2',
  })
  const user = await sign({ id: 1, iat: now, exp: month })
  await sendRaw(
    port,
    Buffer.from(
      `POST /api/auth/change-password HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${old}\r\ncontent-type: application/json\r\ncontent-length: ${changed.length}\r\n\r\n${changed}`,
    ),
  )
  const form =
    '--b\r\ncontent-disposition: form-data; name="files"; filename="a.txt"\r\n\r\n0123456789\r\n--b--\r\n'
  const uploaded = await sendRaw(
    port,
    Buffer.from(
      `POST /api/upload HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${user}\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: ${form.length}\r\n\r\n${form}`,
    ),
  )
  return new Map([
    ['JWT_USER', user],
    ['FILE', /\/uploads\/([\w.]+)/.exec(uploaded.body)?.[1] ?? 'none'],
    ['JWT_NOT_YET', await sign({ id: 1, iat: now, exp: month, nbf: now + 86_400 })],
    ['JWT_FUTURE_IAT', await sign({ id: 1, iat: now + 31_536_000, exp: now + 40_000_000 })],
    ['JWT_NO_EXP', await sign({ id: 1, iat: now })],
    ['JWT_BLOCKED_USER', await sign({ id: 3, iat: now, exp: month })],
    ['JWT_UNCONFIRMED_USER', await sign({ id: 4, iat: now, exp: month })],
    ['JWT_OLD_PASSWORD', old],
    ['JWT_ID_ARRAY', await sign({ id: [1], iat: now, exp: month })],
    ['JWT_ID_STRING_SQL', await sign({ id: '1 OR 1=1', iat: now, exp: month })],
    ['JWT_RESET_PURPOSE', await sign({ id: 1, iat: now, exp: month, purpose: 'reset' })],
    ['JWT_OTHER_AUD', await sign({ id: 1, iat: now, exp: month, aud: 'other' })],
    ['API_TOKEN_EXPIRED', 'b'.repeat(64)],
    ['API_TOKEN_REVOKED', 'c'.repeat(64)],
    ['API_TOKEN_FULL_PREFIX', 'd'.repeat(20)],
    ['RESET_CODE_USED', 'e'.repeat(64)],
    ['RESET_CODE_EXPIRED', 'f'.repeat(64)],
  ])
}
