// Two and three callers who read and write one entry in random interleavings: no update with `If-Match` is lost, and the
// versions order all successful writes into one history that explains every response.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { oneOf, type Random, randomOf, whole } from './rule-worlds.ts'

const INTERLEAVINGS = process.env['LONG'] === '1' ? 10_000 : 150
const options = { draftAndPublish: false }

const config = {
  contentTypes: {
    doc: {
      options,
      attributes: {
        a: 'integer',
        b: 'integer',
        box: { type: 'component', component: 'ui.box' },
        tag: { type: 'relation', relation: 'manyToOne', target: 'api::tag.tag', inversedBy: 'docs' },
      },
    },
    tag: {
      options,
      attributes: {
        name: 'string',
        docs: { type: 'relation', relation: 'oneToMany', target: 'api::doc.doc', mappedBy: 'tag' },
      },
    },
  },
  components: { 'ui.box': { attributes: { size: 'integer' } } },
  auth: { roles: { public: { permissions: ['doc.*', 'tag.*'] } } },
}

interface State {
  readonly a: number | null
  readonly b: number | null
  readonly box: number | null
  readonly tag: string | null
}

interface Seen {
  readonly status: number
  readonly version: number
  readonly state: State
}

/** A successful write: the version that it named, and its data. */
interface Written {
  readonly from: number
  readonly data: Partial<State>
  readonly seen: Seen
}

describe.each(['strapi-4', 'strapi-5'] as const)('%s', (dialect) => {
  let cms: Cms
  let database: TestDatabase
  const tags: Record<string, unknown> = {}

  beforeAll(async () => {
    database = await openTestDatabase()
    cms = await createCms({ ...config, dialect }, { env: {}, ...database.options })
    for (const name of ['x', 'y']) {
      const { id, documentId } = await cms.entries('tag').create({ name })
      tags[name] = dialect === 'strapi-4' ? id : documentId
    }
  })
  afterAll(async () => {
    await cms.close()
    await database.drop()
  })

  async function send(method: string, path: string, data?: Partial<State>, version?: number): Promise<Seen> {
    const { tag, box, ...others } = data ?? {}
    const body = {
      ...others,
      ...(tag !== undefined && { tag: tag === null ? null : tags[tag] }),
      ...(box !== undefined && { box: box === null ? null : { size: box } }),
    }
    const response = await cms.fetch(`/api/${path}?populate=*`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(version !== undefined && { 'if-match': `"${version}"` }),
      },
      ...(data !== undefined && { body: JSON.stringify({ data: body }) }),
    })
    const json = (await response.json()) as { data: Record<string, unknown> | null }
    const found = /^"(\d+)/.exec(response.headers.get('etag') ?? '')?.[1]
    return { status: response.status, version: Number(found), state: stateOf(json.data) }
  }

  function stateOf(entry: Record<string, unknown> | null): State {
    const flat = { ...entry, ...(entry?.['attributes'] as object | undefined) } as Record<string, unknown>
    const { a, b, box, tag } = flat
    const related = (tag as { data?: unknown } | null | undefined)?.data ?? tag
    const named = related as { name?: string; attributes?: { name: string } } | null | undefined
    return {
      a: (a ?? null) as State['a'],
      b: (b ?? null) as State['b'],
      box: (box as { size: number } | null | undefined)?.size ?? null,
      tag: named?.attributes?.name ?? named?.name ?? null,
    }
  }

  const dataOf = (random: Random): Partial<State> =>
    oneOf<() => Partial<State>>(random, [
      () => ({ a: whole(random, 1000) }),
      () => ({ b: whole(random, 1000) }),
      () => ({ a: whole(random, 1000), b: whole(random, 1000) }),
      () => ({ box: whole(random, 1000) }),
      () => ({ tag: oneOf(random, ['x', 'y', null]) }),
    ])()

  test(`${INTERLEAVINGS} interleavings`, { timeout: 3_600_000 }, async () => {
    for (let number = 1; number <= INTERLEAVINGS; number++) {
      const random = randomOf(number)
      const { id, documentId } = await cms.entries('doc').create({})
      const path = `docs/${String(dialect === 'strapi-4' ? id : documentId)}`
      const reads: Seen[] = []
      const writes: Written[] = []
      const refused: Seen[] = []
      /** Reads once, and writes one to three times with the version that it saw last. */
      const caller = async (steps: readonly Partial<State>[]): Promise<void> => {
        let last = await send('GET', path)
        reads.push(last)
        for (const data of steps) {
          const seen = await send('PUT', path, data, last.version)
          if (seen.status === 200) {
            writes.push({ from: last.version, data, seen })
            last = seen
            continue
          }
          expect(seen.status).toBe(412)
          refused.push(seen)
          last = await send('GET', path)
          reads.push(last)
        }
      }
      const callers = Array.from({ length: 2 + whole(random, 2) }, () =>
        Array.from({ length: 1 + whole(random, 3) }, () => dataOf(random)),
      )
      await Promise.all(callers.map(caller))
      const end = await send('GET', path)

      const history = writes.toSorted((one, other) => one.seen.version - other.seen.version)
      expect({ number, versions: history.map(({ seen }) => seen.version) }).toEqual({
        number,
        versions: history.map((_, index) => index + 2),
      })
      const states: State[] = [{ a: null, b: null, box: null, tag: null }]
      for (const { from, data, seen } of history) {
        expect({ number, from }).toEqual({ number, from: seen.version - 1 })
        const state = { ...(states.at(-1) as State), ...data }
        expect({ number, state: seen.state }).toEqual({ number, state })
        states.push(state)
      }
      for (const { version, state } of [...reads, end])
        expect({ number, version, state }).toEqual({ number, version, state: states[version - 1] })
      expect(end.version).toBe(states.length)
      for (const { version } of refused) expect(version).toBeGreaterThan(1)
      if (number % 500 === 0) await cms.entries('doc').deleteMany({ id: { $notNull: true } })
    }
  })
})
