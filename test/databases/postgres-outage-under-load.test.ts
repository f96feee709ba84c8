// PostgreSQL is stopped and started again under load: `/_ready` says so, no answer is wrong, the log has a line for the
// beginning, one for each minute and one for the end. LONG=1 leaves it away for more than a minute, twice, and measures.

import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'
import { openTestSchema, postgresHere } from '../support/postgres.ts'
import { startServerProxy } from '../support/server-proxy.ts'

const here = await postgresHere()
const long = process.env['LONG'] === '1'

const config = {
  server: { log: { level: 'info', format: 'json' } },
  contentTypes: { note: { attributes: { text: 'string' } } },
  auth: { roles: { public: { permissions: ['note.*'] } } },
}

/** What happened to a write, as far as its client knows. */
type Fate = 'stored' | 'refused' | 'not known'

describe.skipIf(here === undefined)('PostgreSQL is stopped under load', () => {
  test.each([
    ['refuses connections', 'shut'],
    ['no longer answers', 'swallow'],
  ] as const)('and %s', async (_what, how) => {
    const proxy = await startServerProxy(here ?? '')
    const schema = await openTestSchema(here ?? '')
    const lines: string[] = []
    const database = { client: 'postgres', connection: proxy.url, schema: schema.schema } as const
    const cms = await createCms(config, { env: {}, database, log: (line: string) => lines.push(line) })
    try {
      const fates = new Map<string, Fate>()
      const wrong: string[] = []
      let over = false
      const ask = async (path: string, init?: RequestInit) => {
        const response = await cms.fetch(path, init)
        const text = await response.text()
        if (response.status !== 200 && response.status !== 503)
          wrong.push(`${path} ${response.status} ${text}`)
        return { status: response.status, text }
      }
      const writers = Array.from({ length: 4 }, async (_, writer) => {
        for (let number = 0; !over; number++) {
          const name = `${writer} ${number}`
          const { status, text } = await ask('/api/notes', {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ data: { text: name } }),
          })
          fates.set(name, status === 200 ? 'stored' : text.includes('not known') ? 'not known' : 'refused')
          await wait(5)
        }
      })
      const readers = Array.from({ length: 4 }, async () => {
        while (!over) {
          const least = [...fates.values()].filter((fate) => fate === 'stored').length
          const { status, text } = await ask('/api/notes?pagination[pageSize]=1')
          if (status === 200) {
            const { total } = JSON.parse(text).meta.pagination
            if (total < least) wrong.push(`${total} entries, and ${least} were acknowledged`)
          }
          await wait(5)
        }
      })
      const readyIs = async (status: number): Promise<number> => {
        const since = performance.now()
        while ((await cms.fetch('/_ready')).status !== status) await wait(20)
        return performance.now() - since
      }
      const storedSoFar = () => [...fates.values()].filter((fate) => fate === 'stored').length
      while (storedSoFar() < 20) await wait(10)
      proxy[how]()
      const noticed = await readyIs(503)
      await wait(long ? 62_000 : 300)
      proxy.open()
      const healed = await readyIs(200)
      const before = storedSoFar()
      while (storedSoFar() < before + 20) await wait(10)
      over = true
      await Promise.all([...writers, ...readers])

      expect(wrong).toEqual([])
      const { text } = await ask('/api/notes?pagination[pageSize]=1&sort=id:desc')
      const { total } = JSON.parse(text).meta.pagination
      const found = new Set<string>()
      for (let start = 0; start < total; start += 100) {
        const page = await ask(`/api/notes?sort=id&pagination[start]=${start}&pagination[limit]=100`)
        for (const { attributes } of JSON.parse(page.text).data) found.add(attributes.text)
      }
      expect(found.size).toBe(total)
      expect([...fates].filter(([name, fate]) => fate === 'stored' && !found.has(name))).toEqual([])
      expect([...fates].filter(([name, fate]) => fate === 'refused' && found.has(name))).toEqual([])
      const told = lines
        .map((line) => JSON.parse(line) as { readonly level: number; readonly message: string })
        .filter(({ level }) => level >= 40)
        .map(({ message }) => message)
      expect(told.at(0)).toBe('the database cannot be reached')
      expect(told.at(-1)).toMatch(/^the database answers again after /)
      expect(told.slice(1, -1)).toEqual(
        told.slice(1, -1).map(() => expect.stringMatching(/^the database cannot be reached, for /)),
      )
      if (long) {
        expect(told).toHaveLength(3)
        console.log(
          `${how}: noticed after ${noticed.toFixed(0)} ms, ready again after ${healed.toFixed(0)} ms`,
        )
      }
    } finally {
      proxy.open()
      await cms.close()
      await proxy.close()
      await schema.drop()
    }
  })
})
