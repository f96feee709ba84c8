// The documentation for language models: its index in the package, and what a server hands out of it to whom.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createCms } from '../../src/index.ts'

const root = join(import.meta.dirname, '../..')
const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .map((path) => `docs/${path.replaceAll('\\', '/')}`)
  .filter((path) => path.endsWith('.md') && !path.includes('/decisions/'))

async function open(config: Readonly<Record<string, unknown>>) {
  const cms = await createCms({ contentTypes: { note: { text: 'string' } }, ...config }, { env: {} })
  onTestFinished(() => cms.close())
  return (path: string, init: RequestInit & { headers?: Record<string, string> } = {}) =>
    cms.fetch(path, { ...init, headers: { host: 'localhost:1337', ...init.headers } })
}

test('the index has the form of llmstxt.org, every page, and a sentence for each', () => {
  const index = readFileSync(join(root, 'llms.txt'), 'utf8')
  expect(index).toMatch(/^# cms-run\n\n> .+/)
  expect(index.match(/^## .+$/gm)).toEqual(['## Start', '## How-to', '## Reference', '## Optional'])
  const lines = index.match(/^- .+$/gm) ?? []
  const linked = lines.map((line) => {
    const [, path = ''] = /^- \[[^\]]+\]\(([^)]+)\): .{20,}\.$/.exec(line) ?? []
    expect([line, existsSync(join(root, path))]).toEqual([line, path !== ''])
    return path
  })
  expect(linked.toSorted()).toEqual([...pages, 'skills/cms-run/SKILL.md'].toSorted())
})

test('a server in development has it, each page, and the whole text', async () => {
  const ask = await open({ console: true })
  const index = await ask('/llms.txt')
  expect([index.status, index.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  const links = [...(await index.text()).matchAll(/\]\(([^)]+)\)/g)].map(([, path = '']) => path)
  expect(links).toHaveLength(pages.length + 1)
  const whole = await (await ask('/llms-full.txt')).text()
  for (const link of links) {
    const page = await ask(link)
    expect([link, page.status, page.headers.get('content-type')]).toEqual([
      link,
      200,
      'text/markdown; charset=utf-8',
    ])
    const text = await page.text()
    expect(text).toBe(readFileSync(join(root, link.replace('/_console/package/', '')), 'utf8'))
    expect(whole.includes(text.trim()), link).toBe(true)
  }
  const schema = await ask('/_console/package/schemas/cli-output.schema.json')
  expect(await schema.json()).toHaveProperty('$defs')
  expect(await (await ask('/')).json()).toMatchObject({ documentation: '/llms.txt' })
})

test('nothing else of the package, and by no other method', async () => {
  const ask = await open({ console: true })
  for (const path of [
    '',
    'package.json',
    'docs',
    'docs/../package.json',
    'docs/%2e%2e/package.json',
    'src/index.ts',
  ])
    expect([path, (await ask(`/_console/package/${path}`)).status]).toEqual([path, 404])
  expect((await ask('/llms.txt', { method: 'POST' })).status).toBe(405)
  expect((await ask('/llms.txt', { method: 'HEAD' })).status).toBe(200)
  expect((await ask('/llms.txt', { headers: { origin: 'https://other.example' } })).status).toBe(403)
})

const jwtSecret = '0123456789abcdef0123456789abcdef'

test.each([
  ['without a console', { console: false }],
  ['in production', { console: true, server: { environment: 'production' }, jwtSecret }],
])('%s there is none', async (_where, config) => {
  const ask = await open(config)
  for (const path of ['/llms.txt', '/llms-full.txt', '/_console/package/README.md'])
    expect([path, (await ask(path)).status]).toEqual([path, 404])
})
