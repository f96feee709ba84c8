// Content moves from one dialect to the other and back: what is moved equals what the same data is from the start, and
// the way back loses nothing.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { type Cms, type CmsOptions, createCms } from '../../src/index.ts'
import { everything } from '../archive/content-of-everything.ts'
import { runCommand } from '../support/run-command.ts'
import { serversHere } from '../support/servers.ts'
import { openTestDatabase, type TestClient } from '../support/test-database.ts'

type Json = Record<string, unknown>

const folder = mkdtempSync(join(tmpdir(), 'cms-run-dialects-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** With relations between types that have drafts, to themselves, in components and from types without drafts. */
const config = parse(everything) as Json & {
  contentTypes: Record<string, Json>
  components: Record<string, { attributes: Json }>
  data: Record<string, Json[]>
}
Object.assign(config.contentTypes, {
  series: {
    options: { draftAndPublish: true },
    attributes: {
      name: { type: 'string', unique: true },
      parts: { type: 'relation', relation: 'oneToMany', target: 'api::part.part', mappedBy: 'series' },
      main: { type: 'relation', relation: 'oneToOne', target: 'api::part.part' },
      next: { type: 'relation', relation: 'oneToOne', target: 'api::series.series', inversedBy: 'previous' },
      previous: { type: 'relation', relation: 'oneToOne', target: 'api::series.series', mappedBy: 'next' },
    },
  },
  part: {
    options: { draftAndPublish: true },
    attributes: {
      name: { type: 'string', unique: true },
      series: { type: 'relation', relation: 'manyToOne', target: 'api::series.series', inversedBy: 'parts' },
    },
  },
  shelf: {
    attributes: {
      series: { type: 'relation', relation: 'oneToMany', target: 'api::series.series' },
      first: { type: 'relation', relation: 'manyToOne', target: 'api::series.series' },
      card: { type: 'component', component: 'shelf.card' },
    },
  },
  home: {
    kind: 'singleType',
    options: { draftAndPublish: true },
    pluginOptions: { i18n: { localized: true } },
    attributes: { title: { type: 'string', pluginOptions: { i18n: { localized: true } } } },
  },
})
Object.assign(config.components, {
  'shelf.card': {
    attributes: { series: { type: 'relation', relation: 'oneToOne', target: 'api::series.series' } },
  },
})
Object.assign(config.data, {
  series: [
    { id: 1, name: 'S1', parts: [3, 1], main: 2, next: 2 },
    { id: 2, name: 'S2', publishedAt: null, parts: [2] },
    { id: 7, name: 'S7', next: 1 },
  ],
  part: [
    { id: 1, name: 'P1', publishedAt: '2022-02-02T00:00:00.000Z' },
    { id: 2, name: 'P2', publishedAt: null },
    { id: 3, name: 'P3' },
  ],
  shelf: [{ id: 1, series: [2, 7, 1], first: 7, card: { series: 1 } }],
  home: [
    { id: 1, title: 'Home' },
    { id: 2, title: 'Accueil', locale: 'fr', publishedAt: null },
  ],
})
const { data, ...empty } = config

const types = ['tag', 'article', 'comment', 'series', 'part', 'shelf', 'home', 'plugin::upload.file']

function open(dialect: string, options: CmsOptions, more: Json = {}): Promise<Cms> {
  return createCms({ ...empty, dialect, ...more } as never, { env: {}, testing: true, ...options })
}

/** Everything that is stored, two levels deep. */
async function contentOf(cms: Cms, query: Json = {}): Promise<Json> {
  const found: Json = {}
  for (const type of types) {
    const [uid = type] = type.includes('::') ? [type] : [`api::${type}.${type}`]
    const { attributes = {} } = config.contentTypes[type] ?? {}
    const members = Object.entries(attributes as Record<string, unknown>)
      .filter(([, one]) =>
        ['relation', 'media', 'component', 'dynamiczone'].includes((one as Json)?.['type'] as string),
      )
      .map(([name]) => [name, { populate: '*' }])
    if (JSON.stringify(config.contentTypes[type] ?? {}).includes('localized'))
      members.push(['localizations', { fields: ['title'] } as never])
    const populate = Object.fromEntries(members)
    found[uid] = await cms.entries(uid).findMany({ ...query, populate, sort: 'id' })
  }
  found['users'] = await cms.entries('plugin::users-permissions.user').findMany({ populate: '*' })
  return found
}

/** What is the same however the rows came to be: no ids of rows, no moments. */
function withoutRows(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, inner) =>
      ['id', 'createdAt', 'updatedAt', 'publishedAt'].includes(key) ? undefined : inner,
    ),
  )
}

const clients: readonly TestClient[] = ['sqlite', ...(await serversHere())]

describe.each(clients)('%s', (client) => {
  test('from strapi-4 to strapi-5 and back', async () => {
    const { options, drop } = await openTestDatabase(client)
    const first = await open('strapi-4', options, { data })
    const before = await contentOf(first)
    await first.close()

    const file = join(folder, `${client}.yaml`)
    writeFileSync(file, stringify({ ...empty, dialect: 'strapi-5', ...options }))
    const { code, out } = await runCommand(['plan', file], { cwd: folder })
    expect(code).toBe(0)
    expect(out).toContain(
      '3 entries of api::article.article become versions of documents, 1 with a published version',
    )
    expect(out).toContain('no stored value is lost')

    const moved = await open('strapi-5', options)
    const fresh = await open('strapi-5', {}, { data })
    for (const status of ['draft', 'published'])
      expect(withoutRows(await contentOf(moved, { status }))).toEqual(
        withoutRows(await contentOf(fresh, { status })),
      )
    const drafts = await contentOf(moved)
    const login = await moved.fetch('/api/auth/local', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ identifier: 'ann', password: 'secret-of-ann' }),
    })
    expect(login.status).toBe(200)
    const [published] = await moved.entries('part').findMany({ status: 'published', filters: { name: 'P1' } })
    expect(published?.['publishedAt']).toBe('2022-02-02T00:00:00.000Z')
    await moved.close()
    await fresh.close()

    const back = await open('strapi-4', options)
    expect(await contentOf(back)).toEqual(before)
    // Made and linked in the meantime.
    const added = await back.entries('part').create({ name: 'P4', series: 1 })
    await back.entries('part').delete(3)
    await back.close()

    const again = await open('strapi-5', options)
    const now = (await again.entries('part').findMany({ sort: 'id' })).map(({ name, documentId }) => [
      name,
      documentId,
    ])
    const then = (drafts['api::part.part'] as Json[]).map(({ name, documentId }) => [name, documentId])
    expect(now.slice(0, 2)).toEqual(then.slice(0, 2))
    expect(now[2]).toEqual(['P4', expect.stringMatching(/^d[0-9a-f]{23}$/)])
    expect(await again.entries('part').findOne(added.id, { populate: 'series' })).toMatchObject({
      series: { name: 'S1' },
    })
    await again.close()
    await drop()
  })

  test('what strapi-4 cannot keep is refused, unless it may be dropped', async () => {
    const { options, drop } = await openTestDatabase(client)
    const first = await open('strapi-5', options, { data })
    const parts = first.entries('part')
    const [one, two] = (await parts.findMany({ sort: 'id' })).map(({ documentId }) => String(documentId))
    await parts.update(one ?? '', { name: 'Changed', series: null }, { status: 'draft' })
    await parts.publish(two ?? '')
    const before = await contentOf(first)
    await first.close()
    await expect(open('strapi-4', options)).rejects.toThrow('DBS036')
    const untouched = await open('strapi-5', options)
    expect(await contentOf(untouched)).toEqual(before)
    await untouched.close()

    const database = { ...options.database, migrations: { destructive: 'apply' } }
    const file = join(folder, `${client}-back.yaml`)
    writeFileSync(file, stringify({ ...empty, database }))
    const { out } = await runCommand(['plan', file], { cwd: folder })
    expect(out).toMatch(
      /^! ~ 3 documents of api::part.part become entries, 3 of them as published; unpublished changes of 1/m,
    )
    const back = await open('strapi-4', { ...options, database } as never)
    expect(await back.entries('part').findMany({ sort: 'id', populate: 'series' })).toMatchObject([
      { id: 1, name: 'P1', series: { name: 'S1' } },
      { id: 2, name: 'P2', series: { name: 'S2' } },
      { id: 3, name: 'P3' },
    ])
    await back.close()
    await drop()
  })
})

test('a reload does not move what requests are reading', async () => {
  const { options, drop } = await openTestDatabase('sqlite')
  const file = join(folder, 'reload.yaml')
  const write = (dialect: string) => writeFileSync(file, stringify({ ...empty, dialect, data, ...options }))
  write('strapi-4')
  const cms = await createCms(file, { env: {}, testing: true })
  write('strapi-5')
  await expect(cms.reload()).rejects.toThrow('it is moved at a start only')
  expect(await cms.entries('part').count()).toBe(3)
  await cms.close()
  const next = await createCms(file, { env: {}, testing: true })
  expect(await next.entries('part').count({ status: 'published' })).toBe(2)
  await next.close()
  await drop()
})
