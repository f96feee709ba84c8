// Mail by way of a real SMTP server on this machine.

import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Asking, accountsConfig, openAccounts } from './open-accounts.ts'

interface Received {
  readonly to: readonly string[]
  readonly from: string
  readonly text: string
}

let server: SMTPServer
let received: Received[]
let arrival: (() => void) | undefined

beforeEach(async () => {
  received = []
  server = new SMTPServer({
    // Its certificate is made up: what is tested is the mail, not the encryption.
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'cms' && password === 'mail password'
        ? done(null, { user: username })
        : done(new Error('wrong password')),
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        received.push({
          to: envelope.rcptTo.map(({ address }) => address),
          from,
          text: Buffer.concat(chunks).toString().replaceAll('=\r\n', '').replaceAll('=3D', '='),
        })
        done()
        arrival?.()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => new Promise<void>((resolve) => server.close(() => resolve())))

function openWith(password: string, log?: (line: string) => void): Promise<Asking> {
  const { port } = server.server.address() as AddressInfo
  const email = {
    config: {
      provider: 'smtp',
      providerOptions: { host: '127.0.0.1', port, auth: { user: 'cms', pass: password } },
      settings: { defaultFrom: 'cms@example.com', defaultReplyTo: 'help@example.com' },
    },
  }
  return openAccounts({ plugins: { ...accountsConfig.plugins, email } }, log)
}

test('a mail about a password arrives, and its code works', async () => {
  const ask = await openWith('mail password')
  await using _ = ask.cms
  const arrived = new Promise<void>((resolve) => {
    arrival = resolve
  })
  await ask.post('/api/auth/forgot-password', { email: 'alice@example.com' })
  await arrived
  expect(received).toMatchObject([{ to: ['alice@example.com'], from: 'cms@example.com' }])
  const [{ text } = { text: '' }] = received
  expect(text).toContain('Subject: Reset password')
  expect(text).toContain('Reply-To: help@example.com')
  expect(ask.cms.outbox).toEqual([])
  const code = /code=([0-9a-f]+)/.exec(text)?.[1]
  const body = { code, password: 'brand new', passwordConfirmation: 'brand new' }
  expect((await ask.post('/api/auth/reset-password', body)).status).toBe(200)
})

test('by the route, in the words of the caller, on single lines', async () => {
  const ask = await openWith('mail password')
  await using _ = ask.cms
  const mail = { to: 'x@example.com', subject: 'Hello', text: 'How are you?' }
  expect((await ask.post('/api/email', mail)).status).toBe(403)
  expect((await ask.post('/api/email', mail, 'full-token')).status).toBe(200)
  expect(received).toMatchObject([{ to: ['x@example.com'], from: 'cms@example.com' }])
  for (const field of ['to', 'subject', 'from', 'replyTo']) {
    const answer = await ask.post(
      '/api/email',
      { ...mail, [field]: 'x@example.com\r\nBcc: all@example.com' },
      'full-token',
    )
    expect(answer).toMatchObject({ status: 400, body: { error: { message: `${field} must be one line` } } })
  }
  expect(received).toHaveLength(1)
})

test('a mail that cannot be sent is logged, and nobody is told', async () => {
  const lines: string[] = []
  let heard = (): void => {}
  const logged = new Promise<void>((resolve) => {
    heard = resolve
  })
  const ask = await openWith('wrong', (line) => {
    lines.push(line)
    if (line.includes('was not sent')) heard()
  })
  await using _ = ask.cms
  expect(await ask.post('/api/auth/forgot-password', { email: 'alice@example.com' })).toEqual({
    status: 200,
    body: { ok: true },
  })
  await logged
  expect(lines.join('')).toContain('a mail \\"Reset password\\" was not sent')
  expect(lines.join('')).not.toMatch(/code=|mail password/)
})
