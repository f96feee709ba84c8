// What docs/reference/events.md shows is what happens: its configurations, its request, its programs, its messages and its
// subscription.

import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { listenTo } from '../events/event-source.ts'
import { addedToYaml, blocksOf, commandsOf, curlRequest } from '../support/doc-page.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/reference/events.md'), 'utf8')
const blocks = blocksOf(page)
const waiting = { timeout: 60_000, interval: 10 }

function textOf(language: string, holds: string): string {
  const found = blocks.find((block) => block.language === language && block.text.includes(holds))
  if (found === undefined) throw new Error(`no block of ${language} with "${holds}"`)
  return found.text
}

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
let file: string
beforeEach(() => {
  file = join(mkdtempSync(join(tmpdir(), 'cms-run-docs-')), 'cms.yaml')
  const whole = addedToYaml(textOf('yaml', 'events: true'), textOf('yaml', 'schedule: true'))
  writeFileSync(file, `${whole}\nplugins: { graphql: true }\n`)
})

async function start(): Promise<Cms> {
  return createCms(file, { env: { WEBHOOK_SECRET: secret }, testing: true })
}

test('the webhook is one that can be had', async () => {
  const article = 'contentTypes: { article: { drafts: true, attributes: { title: string } } }'
  writeFileSync(file, `${article}\n${textOf('yaml', 'webhooks:')}`)
  await using cms = await start()
  expect(await cms.entries('article').findMany()).toEqual([])
})

test('the request of the schedule makes a draft that is published at its moment', async () => {
  await using cms = await start()
  const [command = ''] = commandsOf(textOf('sh', 'publishAt'))
  const { path, init } = curlRequest(command, new Map())
  const body = JSON.parse(String(init.body)) as { data: Record<string, unknown> }
  expect((await cms.fetch(path, init)).status).toBe(403)
  const { id } = await cms.entries('post').create(body.data)
  cms.advance(Date.parse('2030-01-01T10:00:00Z') - Date.now())
  await vi.waitFor(
    async () =>
      expect(await cms.entries('post').findOne(id)).toMatchObject({ publishedAt: expect.any(String) }),
    waiting,
  )
})

test('the programs hear what is written', async () => {
  await using cms = await start()
  const lines: string[] = []
  const told = { log: (...words: unknown[]) => void lines.push(words.join(' ')) }
  const run = new Function('cms', 'console', `return (async () => { ${textOf('js', 'cms.on(')} })()`)
  const running = (run(cms, told) as Promise<void>).catch(() => {})
  await vi.waitFor(async () => {
    await cms.entries('article').create({ title: 'a', category: 'news' })
    expect(lines.join('\n')).toMatch(/create \d[\s\S]*title,category/)
  }, waiting)
  await cms.close()
  await running
})

test('a message has what the page shows, and the subscription is one of the schema', async () => {
  await using cms = await start()
  const heard = await listenTo(cms.fetch, '/api/_events?types=article')
  const { id } = await cms.entries('article').create({ title: 'Old' })
  await cms.entries('article').update(id, { title: 'News' })
  await vi.waitFor(() => expect(heard.events).toHaveLength(2), waiting)
  const shown = JSON.parse(textOf('json', '"action"')) as Record<string, unknown>
  expect(heard.events[1]?.data).toMatchObject({ ...shown, at: expect.any(String) })
  expect(Object.keys(heard.events[1]?.data ?? {})).toEqual(Object.keys(shown))
  await heard.stop()
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream' }
  const body = JSON.stringify({ query: textOf('graphql', 'articleChanged') })
  const answer = await cms.fetch('/graphql', { method: 'POST', headers, body })
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const reading = (async () => {
    for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read())
      text += piece.value
  })().catch(() => {})
  await vi.waitFor(async () => {
    await cms.entries('article').create({ title: 'x', category: 'news' })
    expect(text).toContain('"attributes":{"title":"x"}')
  }, waiting)
  expect(text).not.toContain('errors')
  await reader?.cancel()
  await reading
})
