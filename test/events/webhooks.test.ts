// Webhooks: what receivers are sent, in which order, again and again, and what is refused.

import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { inFile, newFolder } from '../archive/in-file.ts'
import { runCommand } from '../support/run-command.ts'

const waiting = { timeout: 60_000, interval: 20 }
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

interface Message {
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: Record<string, unknown>
}

interface Receiver {
  readonly url: string
  readonly messages: Message[]
  /** The status of the next answers; 200 when there are no more. */
  readonly statuses: number[]
}

const open: Server[] = []
let cms: Cms | undefined
afterEach(async () => {
  await cms?.close()
  cms = undefined
  for (const server of open.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function receiver(): Promise<Receiver> {
  const messages: Message[] = []
  const statuses: number[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const piece of request) text += piece
    messages.push({ headers: request.headers, text, body: JSON.parse(text) as Record<string, unknown> })
    const status = statuses.shift() ?? 200
    response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push(server)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, messages, statuses }
}

function configOf(webhook: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return {
    webhooks: [webhook],
    contentTypes: {
      article: {
        attributes: { title: 'string', note: { type: 'string', private: true } },
        options: { draftAndPublish: true },
      },
    },
  }
}

describe('a receiver', () => {
  test("is sent Strapi's payload under its names, signed", async () => {
    const { url, messages } = await receiver()
    cms = await createCms(configOf({ url, secret, headers: { Authorization: 'Bearer me' } }))
    const articles = cms.entries('article')
    const { id } = await articles.create({ title: 'a', note: 'secret', publishedAt: null })
    await articles.update(id, { publishedAt: '2030-01-01T00:00:00.000Z' })
    await articles.delete(id)
    await vi.waitFor(() => expect(messages).toHaveLength(3), waiting)
    expect(messages.map(({ body, headers }) => [body['event'], headers['x-strapi-event']])).toEqual([
      ['entry.create', 'entry.create'],
      ['entry.publish', 'entry.publish'],
      ['entry.delete', 'entry.delete'],
    ])
    for (const { headers, text, body } of messages) {
      expect(() => new Webhook(secret).verify(text, headers as Record<string, string>)).not.toThrow()
      expect(headers['authorization']).toBe('Bearer me')
      expect(body).toMatchObject({
        model: 'article',
        uid: 'api::article.article',
        createdAt: expect.any(String),
      })
      expect(text).not.toMatch(/secret|note/)
    }
    expect(messages[2]?.body['entry']).toMatchObject({ id, title: 'a' })
  })

  test('that fails is tried again, with the same id and in the order of the entry', async () => {
    const { url, messages, statuses } = await receiver()
    statuses.push(500, 302)
    cms = await createCms(configOf({ url, events: ['article.create', 'entry.update'] }))
    const articles = cms.entries('article')
    const { id } = await articles.create({ title: 'a' })
    await articles.update(id, { title: 'b' })
    await articles.delete(id)
    await vi.waitFor(() => expect(messages).toHaveLength(4), waiting)
    expect(messages.map(({ body }) => body['event'])).toEqual([
      'entry.create',
      'entry.create',
      'entry.create',
      'entry.update',
    ])
    expect(new Set(messages.map(({ headers }) => headers['webhook-id'])).size).toBe(2)
  })

  test('is sent after a restart what it was not sent before; what is given up is listed and tried again', async () => {
    const { url, messages, statuses } = await receiver()
    statuses.push(500)
    const folder = newFolder()
    const file = inFile(
      `database: ${join(folder, 'content.db')}\nwebhooks:\n  - { name: one, url: "${url}", retries: 0 }\ncontentTypes:\n  article: { title: string }\n`,
    )
    cms = await createCms(file, { env: {} })
    await cms.entries('article').create({ title: 'a' })
    await vi.waitFor(() => expect(messages).toHaveLength(1), waiting)
    await cms.close()
    const listed = await runCommand(['webhooks', 'list', file], { cwd: folder })
    expect(listed.out).toMatch(
      /one {2}entry\.create {2}api::article\.article 1 {2}given up after 1 tries: status 500/,
    )
    expect((await runCommand(['webhooks', 'retry', file], { cwd: folder })).out).toContain(
      '1 delivery is tried again',
    )
    cms = await createCms(file, { env: {} })
    await cms.entries('article').create({ title: 'b' })
    await vi.waitFor(() => expect(messages).toHaveLength(3), waiting)
    expect(messages.map(({ body }) => (body['entry'] as { title: string }).title)).toEqual(['a', 'a', 'b'])
    await cms.close()
    await vi.waitFor(async () =>
      expect((await runCommand(['webhooks', 'list', file], { cwd: folder })).out).toContain(
        'everything is delivered',
      ),
    )
  })
})
