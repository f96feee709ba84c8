// Rules in the database against rules in memory: whatever is asked, the answer is made of the entries for which the
// evaluation of the rule over the whole content says that they are there.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { type Ask, asking, signedToken } from '../support/callers.ts'
import { modelOf } from '../support/model-of.ts'
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { compiled, docsOf, type Entry, holds, usersOf } from './rule-oracle.ts'
import { oneOf, type Random, randomOf, SECRET, USERS, whole, worldOf } from './rule-worlds.ts'

const WORLDS = process.env['LONG'] === '1' ? 70 : 6
const QUESTIONS = 100

describe.each(Array.from({ length: WORLDS }, (_, index) => index + 1))('world %i', (seed) => {
  const random = randomOf(seed)
  const world = worldOf(random)
  let cms: Cms
  let database: TestDatabase
  let send: Ask
  /** What is there for each caller: the ids of documents. */
  const there = new Map<string, ReadonlySet<number>>()
  /** The status of an update by each caller, by the id of the document. */
  const updated = new Map<string, ReadonlyMap<number, number>>()
  let docs: readonly Entry[]

  beforeAll(async () => {
    database = await openTestDatabase()
    cms = await createCms(world.config, { env: {}, ...database.options })
    const signed = USERS.map(async (name, index) => [name, await signedToken(SECRET, index + 1)] as const)
    send = asking(cms, Object.fromEntries(await Promise.all(signed)))
    docs = await docsOf(cms)
    const users = await usersOf(cms)
    const model = await modelOf(world.config)
    const secrets = (world.config['data'] as { doc: readonly Entry[] }).doc
    const stored = docs.map((doc) => ({ ...doc, secret: secrets[doc.id - 1]?.['secret'] }))
    for (const name of ['', ...USERS]) {
      const role = world.roleOf[name] ?? 'public'
      const me = users.find(({ username }) => username === name) ?? null
      const variables = { me, role, now: Date.now() }
      const rules = world.rules[role]?.map((text) => compiled(model, text, 'where')) ?? []
      const seen = stored.filter((entry) => rules.some((rule) => holds(rule, { entry, variables })))
      there.set(name, new Set(seen.map(({ id }) => id)))
      const updates = world.updates[role]?.map(({ where = 'true', check = 'true' }) => ({
        where: compiled(model, where, 'where'),
        check: compiled(model, check, 'check'),
      }))
      const statusOf = (entry: Entry): number => {
        const open = updates?.filter(({ where }) => holds(where, { entry, variables })) ?? []
        if (open.length === 0) return 404
        const known = { ...variables, input: {}, before: entry }
        return open.some(({ check }) => holds(check, { entry, variables: known })) ? 200 : 403
      }
      updated.set(name, new Map(stored.map((entry) => [entry.id, statusOf(entry)])))
    }
  })
  afterAll(async () => {
    await cms.close()
    await database.drop()
  })

  test(`${QUESTIONS} questions`, async () => {
    const callers = ['', ...USERS]
    for (let number = 0; number < QUESTIONS; number++) {
      // First everybody asks for the list; then anybody anything.
      const who = callers[number] ?? oneOf(random, callers)
      const question = number < callers.length ? asked[0] : oneOf(random, asked)
      const seen = there.get(who) ?? new Set()
      const statuses = updated.get(who) ?? new Map()
      if (question === undefined) throw new Error('the list is asked first')
      const { method = 'GET', path, body, expected, shown } = question({ random, docs, seen, statuses })
      const { json, status } = await send(who, method, path, body)
      const role = world.roleOf[who] ?? 'public'
      const rules = method === 'PUT' ? world.updates[role] : world.rules[role]
      expect({ who, rules, path, status }).toSatisfy(() => status < 500)
      expect({ who, rules, path, body, found: shown(json, status) }).toEqual({
        who,
        rules,
        path,
        body,
        found: expected,
      })
    }
  })
})

interface Asking {
  readonly random: Random
  readonly docs: readonly Entry[]
  readonly seen: ReadonlySet<number>
  readonly statuses: ReadonlyMap<number, number>
}

interface Asked {
  readonly method?: string
  readonly path: string
  readonly body?: unknown
  readonly expected: unknown
  shown(answer: unknown, status: number): unknown
}

type Row = { readonly id: number | string; readonly attributes: Readonly<Record<string, unknown>> }
type Answer = {
  readonly data: readonly Row[]
  readonly meta: { readonly pagination: { readonly total: number } }
}

const rowsOf = (answer: unknown): readonly Row[] => (answer as Answer).data
const idsOf = (answer: unknown): readonly number[] => rowsOf(answer).map(({ id }) => Number(id))
const linked = (value: unknown): readonly number[] => (value as readonly Entry[]).map(({ id }) => id)
const idOf = (value: unknown): number | null => (value as Entry | null)?.id ?? null
const PAGE = 'pagination[pageSize]=100'

const asked: readonly ((asking: Asking) => Asked)[] = [
  ({ docs, seen }) => ({
    path: `/api/docs?${PAGE}`,
    expected: { ids: present(docs, seen).map(({ id }) => id), total: seen.size },
    shown: (answer) => ({ ids: idsOf(answer), total: (answer as Answer).meta.pagination.total }),
  }),
  ({ random, docs, seen }) => {
    const id = 1 + whole(random, docs.length + 2)
    return {
      path: `/api/docs/${id}`,
      expected: seen.has(id) ? id : 404,
      shown: (answer) => {
        const { data, error } = answer as { data: Row | null; error?: { status: number } }
        return data?.id ?? error?.status
      },
    }
  },
  ({ docs, seen }) => ({
    path: `/api/docs?${PAGE}&populate[related][fields]=id&populate[main][fields]=id`,
    expected: present(docs, seen).map(({ id, related, main }) => ({
      id,
      related: linked(related).filter((one) => seen.has(one)),
      main: seenOr(idOf(main), seen),
    })),
    shown: (answer) =>
      rowsOf(answer).map(({ id, attributes }) => ({
        id,
        related: idsOf(attributes['related']),
        main: idOf((attributes['main'] as { data: unknown }).data),
      })),
  }),
  ({ docs, seen }) => ({
    path: '/api/teams?populate[docs][fields]=id&populate[about][on][api::doc.doc][fields]=id',
    expected: [1, 2].map((id) =>
      docs.filter(({ id: doc, team }) => seen.has(doc) && idOf(team) === id).map((one) => one.id),
    ),
    shown: (answer) =>
      rowsOf(answer).map(({ attributes }) => {
        // Polymorphic members are among those that are there; which ones is asked elsewhere.
        for (const id of idsOf({
          data: (attributes['about'] as { data?: readonly Row[] } | undefined)?.data ?? [],
        }))
          if (!seen.has(id)) return `shows ${id}`
        return [...idsOf(attributes['docs'])].sort((a, b) => a - b)
      }),
  }),
  ({ random, docs, seen }) => {
    const k = whole(random, 5) - 1
    const matches = ({ related }: Entry): boolean =>
      linked(related).some((id) => seen.has(id) && Number(docs[id - 1]?.['count'] ?? Number.NaN) > k)
    return {
      path: `/api/docs?${PAGE}&filters[related][count][$gt]=${k}`,
      expected: present(docs, seen)
        .filter(matches)
        .map(({ id }) => id),
      shown: idsOf,
    }
  },
  ({ docs, seen }) => ({
    path: `/api/docs?${PAGE}&filters[main][id][$null]=true`,
    expected: present(docs, seen)
      .filter(({ main }) => seenOr(idOf(main), seen) === null)
      .map(({ id }) => id),
    shown: idsOf,
  }),
  ({ random, docs, seen }) => {
    const k = whole(random, 5) - 1
    // Unknown stays unknown: a document whose main one is not there matches neither.
    const matches = ({ main }: Entry): boolean => {
      const id = seenOr(idOf(main), seen)
      const count = id === null ? null : docs[id - 1]?.['count']
      return typeof count === 'number' && !(count > k)
    }
    return {
      path: `/api/docs?${PAGE}&filters[$not][main][count][$gt]=${k}`,
      expected: present(docs, seen)
        .filter(matches)
        .map(({ id }) => id),
      shown: idsOf,
    }
  },
  ({ docs, seen }) => ({
    path: `/api/docs?${PAGE}&sort=main.count`,
    expected: [...present(docs, seen)]
      .map(({ id, main }) => {
        const there = seenOr(idOf(main), seen)
        return { id, key: there === null ? null : (docs[there - 1]?.['count'] as number | null) }
      })
      .sort(
        (a, b) =>
          (a.key ?? Number.NEGATIVE_INFINITY) - (b.key ?? Number.NEGATIVE_INFINITY) || a.id - b.id || 0,
      )
      .map(({ id }) => id),
    shown: idsOf,
  }),
  ({ docs, seen }) => ({
    path: `/api/docs?${PAGE}&_q=b`,
    expected: present(docs, seen)
      .filter(({ title, mood }) => `${title ?? ''}`.includes('b') || `${mood ?? ''}`.includes('b'))
      .map(({ id }) => id),
    shown: idsOf,
  }),
  ({ docs, seen }) => ({
    path: `/api/docs?${PAGE}&populate[box][populate][doc][fields]=id&filters[box][doc][id][$notNull]=true`,
    expected: present(docs, seen).flatMap(({ id, box }) => {
      const doc = seenOr(idOf((box as { doc?: unknown } | null)?.doc ?? null), seen)
      return doc === null ? [] : [{ id, doc }]
    }),
    shown: (answer) =>
      rowsOf(answer).map(({ id, attributes }) => ({
        id,
        doc: idOf((attributes['box'] as { doc: { data: unknown } }).doc.data),
      })),
  }),
  ({ random, docs, seen }) => {
    const k = whole(random, 5) - 1
    const inTeam = (team: number) =>
      docs
        .filter((doc) => seen.has(doc.id) && idOf(doc['team']) === team && isAtMost(doc, k))
        .map((doc) => doc.id)
    return {
      path: `/api/teams?filters[docs][count][$lte]=${k}&populate[docs][filters][count][$lte]=${k}&populate[docs][sort]=id`,
      expected: [1, 2].map((id) => ({ id, docs: inTeam(id) })).filter((team) => team.docs.length > 0),
      shown: (answer) =>
        rowsOf(answer).map(({ id, attributes }) => ({ id, docs: idsOf(attributes['docs']) })),
    }
  },
  ({ random, docs, statuses }) => {
    const id = 1 + whole(random, docs.length)
    return {
      method: 'PUT',
      path: `/api/docs/${id}`,
      body: { data: {} },
      expected: statuses.get(id),
      shown: (_, status) => status,
    }
  },
  ({ docs, seen }) => ({
    method: 'POST',
    path: '/graphql',
    body: {
      query:
        '{ docs(pagination: { limit: 100 }) { data { id attributes { related(pagination: { limit: 100 }) { data { id } } main { data { id } } } } meta { pagination { total } } } }',
    },
    expected: {
      total: seen.size,
      docs: present(docs, seen).map(({ id, related, main }) => ({
        id,
        related: linked(related).filter((one) => seen.has(one)),
        main: seenOr(idOf(main), seen),
      })),
    },
    shown: (answer) => {
      const { docs: found } = (answer as { data: { docs: Answer } }).data
      return {
        total: found.meta.pagination.total,
        docs: found.data.map(({ id, attributes }) => ({
          id: Number(id),
          related: idsOf(attributes['related']),
          main:
            (attributes['main'] as { data: Row | null }).data === null
              ? null
              : Number((attributes['main'] as { data: Row }).data.id),
        })),
      }
    },
  }),
  ({ random, docs, seen }) => {
    const id = 1 + whole(random, docs.length)
    return {
      method: 'POST',
      path: '/graphql',
      body: {
        query: `{ doc(id: ${id}) { data { id } } teams { data { attributes { docs(pagination: { limit: 100 }) { data { id } } } } } }`,
      },
      expected: {
        doc: seen.has(id) ? String(id) : null,
        teams: [1, 2].map((team) =>
          docs.filter((doc) => seen.has(doc.id) && idOf(doc['team']) === team).map((doc) => doc.id),
        ),
      },
      shown: (answer) => {
        const { doc, teams } = (answer as { data: { doc: { data: Row | null }; teams: Answer } }).data
        return {
          doc: doc.data?.id ?? null,
          teams: teams.data.map(({ attributes }) => [...idsOf(attributes['docs'])].sort((a, b) => a - b)),
        }
      },
    }
  },
]

function isAtMost({ count }: Entry, bound: number): boolean {
  return typeof count === 'number' && count <= bound
}

function present(docs: readonly Entry[], seen: ReadonlySet<number>): readonly Entry[] {
  return docs.filter(({ id }) => seen.has(id))
}

function seenOr(id: number | null, seen: ReadonlySet<number>): number | null {
  return id !== null && seen.has(id) ? id : null
}
