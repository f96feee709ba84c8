// Behaviour through HTTP, one case file each; run over the in-process fetch and over a real socket.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { type CaseFile, parseCase } from '../support/case-file.ts'
import { mismatches } from '../support/match-json.ts'
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts'

const here = dirname(fileURLToPath(import.meta.url))

const files = readdirSync(here, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.case'))
  .sort()
const cases = files.map((name) => ({ name, file: parseCase(readFileSync(join(here, name), 'utf8'), name) }))
const byConfig = new Map<string, typeof cases>()
for (const one of cases) byConfig.set(one.file.config, [...(byConfig.get(one.file.config) ?? []), one])

for (const way of ['fetch', 'socket'] as const) {
  describe.each([...byConfig])(`over ${way}, configuration %s`, (config, configCases) => {
    let cms: Cms
    let send: (target: string, init: RequestInit) => Promise<Response>
    let database: TestDatabase
    let restore: () => Promise<void>

    beforeAll(async () => {
      database = await openTestDatabase()
      cms = await createCms(join(here, 'configs', `${config}.yaml`), { env: {}, ...database.options })
      restore = await database.keep(cms)
      if (way === 'fetch') send = (target, init) => cms.fetch(target, init)
      else {
        const { url } = await cms.listen(0, '127.0.0.1')
        send = (target, init) => fetch(`${url}${target}`, init)
      }
    })
    afterAll(async () => {
      await cms.close()
      await database.drop()
    })

    test.each(configCases)('$name', async ({ file }) => {
      await restore()
      await runCase(file, send)
    })
  })
}

async function runCase(
  file: CaseFile,
  send: (target: string, init: RequestInit) => Promise<Response>,
): Promise<void> {
  for (const step of file.steps) {
    const { method, headers, body } = step
    const response = await send(step.target, { method, headers, ...(body === undefined ? {} : { body }) })
    const text = await response.text()
    const label = `${file.title}\n${method} ${step.target}\n${text.slice(0, 2000)}`
    expect(response.status, label).toBe(step.status)
    if (step.reply !== undefined)
      expect(mismatches(JSON.parse(step.reply), JSON.parse(text)), label).toEqual([])
    for (const [name, value] of Object.entries(step.replyHeaders)) {
      expect(response.headers.get(name), `${label}\nheader ${name}`).toBe(value)
    }
    const everything = `${text}\n${JSON.stringify([...response.headers])}`
    for (const secret of step.never) expect(everything, label).not.toContain(secret)
  }
}

test('every folder of cases holds some', () => {
  const folders = new Set(files.map((name) => dirname(name)))
  expect(folders.size).toBeGreaterThan(5)
})
