// Drafts of a content-type that has entries are turned on and off, by an edit of the file, over each database: nothing is
// published without a word of the file, nothing disappears, and no document is shown twice.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { type Cms, createCms } from '../../src/index.ts'
import { runCommand } from '../support/run-command.ts'
import { serversHere } from '../support/servers.ts'
import { openTestDatabase, type TestClient } from '../support/test-database.ts'

type Json = Record<string, unknown>

const clients: readonly TestClient[] = ['memory', 'sqlite', ...(await serversHere())]

const ending: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

async function open(client: TestClient, config: Json) {
  const { options, drop } = await openTestDatabase(client)
  const folder = mkdtempSync(join(tmpdir(), 'cms-run-drafts-'))
  const file = join(folder, 'cms.yaml')
  const all = (next: Json): string => stringify({ ...next, ...options })
  writeFileSync(file, all(config))
  const log: string[] = []
  const cms: Cms = await createCms(file, { env: {}, testing: true, log: (line) => void log.push(line) })
  ending.push(async () => {
    await cms.close()
    await drop()
    rmSync(folder, { recursive: true, force: true })
  })
  const get = async (path: string) => {
    const answer = await cms.fetch(path)
    return { status: answer.status, body: (await answer.json().catch(() => undefined)) as Json }
  }
  return {
    cms,
    log,
    get,
    async names(path: string): Promise<unknown> {
      const { data } = (await get(path)).body as { data: Json[] }
      return data.map((entry) => ((entry['attributes'] ?? entry) as Json)['name'])
    },
    async write(next: Json): Promise<string | undefined> {
      writeFileSync(file, all(next))
      try {
        await cms.reload()
        return undefined
      } catch (error) {
        return String(error)
      }
    },
    async plan(next: Json): Promise<string> {
      writeFileSync(file, all(next))
      const { out, err } = await runCommand(['plan', file], { cwd: folder })
      return out + err
    },
  }
}

const dogs = (dialect: string, dog: Json): Json => ({
  dialect,
  contentTypes: { dog: { ...dog, attributes: { name: 'string' } } },
  auth: { roles: { public: { permissions: ['dog.*'] } } },
})

describe.each(clients)('%s', (client) => {
  test('strapi-4: drafts are not published before the file says so', async () => {
    const { cms, names, write, log } = await open(client, dogs('strapi-4', { drafts: true }))
    await cms.entries('dog').create({ name: 'shown' })
    await cms.entries('dog').create({ name: 'hidden', publishedAt: null })
    const refused = await write(dogs('strapi-4', {}))
    expect(refused).toMatch(
      /DBS037.*SECURITY-WIDENING: api::dog\.dog has no drafts any more: 1 entry is not published/s,
    )
    expect(await names('/api/dogs')).toEqual(['shown'])
    expect(await write(dogs('strapi-4', { drafts: { off: 'publish' } }))).toBeUndefined()
    expect(log.join('\n')).toContain('SECURITY-WIDENING: unpublished entries of api::dog.dog are published')
    expect(await names('/api/dogs?sort=id')).toEqual(['shown', 'hidden'])
    await cms.entries('dog').create({ name: 'made without drafts' })
    expect(await write(dogs('strapi-4', { drafts: true }))).toBeUndefined()
    const entries = (await cms.entries('dog').findMany({ sort: 'id' })) as Json[]
    expect(entries.map(({ name }) => name)).toEqual(['shown', 'hidden', 'made without drafts'])
    for (const one of entries.slice(1)) expect(one['publishedAt']).toBe(one['createdAt'])
  })

  test('strapi-4: drafts are deleted where the file says so, and no word is needed without any', async () => {
    const { cms, get, names, write } = await open(client, dogs('strapi-4', { drafts: true }))
    await cms.entries('dog').create({ name: 'shown' })
    const { id } = await cms.entries('dog').create({ name: 'hidden', publishedAt: null })
    expect(await write(dogs('strapi-4', { drafts: { off: 'delete' } }))).toBeUndefined()
    expect(await names('/api/dogs')).toEqual(['shown'])
    expect((await get(`/api/dogs/${id}`)).status).toBe(404)
    expect(await write(dogs('strapi-4', { drafts: true }))).toBeUndefined()
    expect(await write(dogs('strapi-4', {}))).toBeUndefined()
    expect(await names('/api/dogs')).toEqual(['shown'])
  })

  test.each(['strapi-4', 'strapi-5'])(
    '%s: a type that was gone and is back without drafts',
    async (dialect) => {
      const { cms, names, write } = await open(client, dogs(dialect, { drafts: true }))
      const draft = dialect === 'strapi-4' ? { publishedAt: null } : {}
      await cms.entries('dog').create({ name: 'hidden', ...draft }, { status: 'draft' } as never)
      const without = { dialect, contentTypes: { cat: { attributes: { name: 'string' } } } }
      expect(await write(without)).toBeUndefined()
      expect(await write(dogs(dialect, {}))).toContain('DBS037')
      expect(await write(dogs(dialect, { drafts: { off: 'publish' } }))).toBeUndefined()
      expect(await names('/api/dogs')).toEqual(['hidden'])
    },
  )

  test.each(['delete', 'publish'])('strapi-5: what is published stays as it is: %s', async (off) => {
    const { cms, get, names, write } = await open(client, dogs('strapi-5', { drafts: true }))
    const dog = cms.entries('dog')
    const both = await dog.create({ name: 'published' })
    const documentId = String(both['documentId'])
    await dog.publish(documentId)
    const [before] = (await get('/api/dogs')).body['data'] as Json[]
    await dog.update(documentId, { name: 'changed' }, { status: 'draft' })
    const alone = await dog.create({ name: 'alone' }, { status: 'draft' })
    expect(await names('/api/dogs')).toEqual(['published'])
    const refused = await write(dogs('strapi-5', {}))
    expect(refused).toContain('1 entry is not published')
    expect(refused).toContain('unpublished changes of 1 document would be lost')
    expect(await names('/api/dogs')).toEqual(['published'])

    expect(await write(dogs('strapi-5', { drafts: { off } }))).toBeUndefined()
    expect(await names('/api/dogs?sort=name:desc')).toEqual(
      off === 'publish' ? ['published', 'alone'] : ['published'],
    )
    expect((await get(`/api/dogs/${documentId}`)).body['data']).toEqual(before)
    expect((await get(`/api/dogs/${String(alone['documentId'])}`)).status).toBe(off === 'publish' ? 200 : 404)
    expect((await get('/api/dogs?status=draft&sort=name:desc')).body['data']).toEqual(
      (await get('/api/dogs?sort=name:desc')).body['data'],
    )

    expect(await write(dogs('strapi-5', { drafts: true }))).toBeUndefined()
    const { body } = await get(`/api/dogs/${documentId}?status=draft`)
    expect(body['data']).toMatchObject({ documentId, name: 'published' })
    await dog.update(documentId, { name: 'again' }, { status: 'draft' })
    expect(await names('/api/dogs?filters[documentId]='.concat(documentId))).toEqual(['published'])
    await dog.unpublish(documentId)
    expect((await get(`/api/dogs/${documentId}`)).status).toBe(404)
  })

  test('plan says how many entries it concerns', async () => {
    if (client === 'memory') return
    const { cms, plan } = await open(client, dogs('strapi-5', { drafts: true }))
    const { documentId } = await cms.entries('dog').create({ name: 'a' })
    await cms.entries('dog').publish(String(documentId))
    await cms.entries('dog').create({ name: 'b' }, { status: 'draft' })
    expect(await plan(dogs('strapi-5', {}))).toContain('1 entry is not published')
    expect(await plan(dogs('strapi-5', { drafts: { off: 'publish' } }))).toContain(
      '~ 1 unpublished entry of api::dog.dog is published: it has no drafts any more',
    )
    expect(await plan(dogs('strapi-5', { drafts: { off: 'delete' } }))).toContain(
      '! ~ 1 unpublished entry of api::dog.dog is deleted',
    )
  })

  test('strapi-5: drafts that are made are what a start with drafts makes, and go as they came', async () => {
    const turned = await open(client, world(false))
    expect(await turned.write(world(true))).toBeUndefined()
    const { cms: fresh } = await open('memory', world(true))
    for (const status of ['draft', 'published'])
      expect(await contentOf(turned.cms, status)).toEqual(await contentOf(fresh, status))
    const { documentId } = (
      await turned.cms.entries('story').findMany({ filters: { name: 'S1' } })
    )[0] as Json
    await turned.cms.entries('story').update(String(documentId), { name: 'S1 again' }, { status: 'draft' })
    await turned.cms.entries('story').publish(String(documentId))
    await turned.cms.entries('story').update(String(documentId), { name: 'S1' }, { status: 'draft' })
    await turned.cms.entries('story').publish(String(documentId))
    expect(await turned.write(world(false))).toBeUndefined()
    const { cms: former } = await open('memory', world(false))
    for (const status of ['draft', 'published'])
      expect(await contentOf(turned.cms, status)).toEqual(await contentOf(former, status))
  })
})

/** Stories, with drafts or without, among types with drafts and without, in locales, components and both directions. */
function world(drafts: boolean): Json {
  const relation = (kind: string, target: string, more: Json = {}): Json => ({
    type: 'relation',
    relation: kind,
    target: `api::${target}.${target}`,
    ...more,
  })
  return {
    dialect: 'strapi-5',
    plugins: { i18n: { config: { locales: ['en', 'fr'] } } },
    components: {
      'a.card': {
        attributes: { name: 'string', inner: { type: 'component', component: 'a.inner', repeatable: true } },
      },
      'a.inner': {
        attributes: {
          name: 'string',
          writer: relation('oneToOne', 'writer'),
          tags: relation('oneToMany', 'tag'),
          story: relation('oneToOne', 'story'),
        },
      },
    },
    contentTypes: {
      story: {
        options: { draftAndPublish: drafts },
        pluginOptions: { i18n: { localized: true } },
        attributes: {
          name: { type: 'string', pluginOptions: { i18n: { localized: true } } },
          slug: { type: 'string', unique: true, pluginOptions: { i18n: { localized: true } } },
          cards: {
            type: 'component',
            component: 'a.card',
            repeatable: true,
            pluginOptions: { i18n: { localized: true } },
          },
          zone: {
            type: 'dynamiczone',
            components: ['a.card', 'a.inner'],
            pluginOptions: { i18n: { localized: true } },
          },
          writers: relation('manyToMany', 'writer', { inversedBy: 'stories' }),
          tags: relation('manyToMany', 'tag', { inversedBy: 'stories' }),
          next: relation('oneToOne', 'story', { inversedBy: 'previous' }),
          previous: relation('oneToOne', 'story', { mappedBy: 'next' }),
        },
      },
      writer: {
        options: { draftAndPublish: true },
        attributes: {
          name: 'string',
          stories: relation('manyToMany', 'story', { mappedBy: 'writers' }),
          best: relation('manyToOne', 'story'),
          card: { type: 'component', component: 'a.card' },
        },
      },
      tag: {
        attributes: {
          name: 'string',
          stories: relation('manyToMany', 'story', { mappedBy: 'tags' }),
          lead: relation('manyToOne', 'story'),
          card: { type: 'component', component: 'a.card' },
        },
      },
    },
    data: {
      writer: [
        { id: 1, name: 'W1', best: 1, card: { name: 'c', inner: [{ name: 'i', story: 2, writer: 2 }] } },
        {
          id: 2,
          name: 'W2',
          publishedAt: null,
          best: 2,
          card: { name: 'c2', inner: [{ name: 'i2', story: 1 }] },
        },
      ],
      tag: [
        { id: 1, name: 'T1', lead: 1, card: { name: 'c', inner: [{ name: 'i', story: 1, tags: [2] }] } },
        { id: 2, name: 'T2', lead: 2 },
      ],
      story: [
        {
          id: 1,
          name: 'S1',
          slug: 's1',
          writers: [2, 1],
          tags: [2, 1],
          next: 2,
          cards: [
            { name: 'c1', inner: [{ name: 'i1', writer: 1, tags: [1, 2] }, { name: 'i2' }] },
            { name: 'c2', inner: [{ name: 'i3', writer: 1, story: 2 }] },
          ],
          zone: [
            { __component: 'a.inner', name: 'z', writer: 1 },
            { __component: 'a.card', name: 'z2', inner: [{ name: 'zi', story: 1 }] },
          ],
        },
        { id: 2, name: 'S2', slug: 's2', writers: [1], tags: [1] },
        { id: 3, name: 'S3', slug: 's3', locale: 'fr', tags: [2], writers: [2] },
      ],
    },
  }
}

/** What is the same however the rows came to be. */
async function contentOf(cms: Cms, status: string): Promise<unknown> {
  const found: Json = {}
  const inner = { populate: { writer: true, tags: true, story: true } }
  const card = { populate: { inner } }
  const cards = { card }
  const members: Record<string, Json> = {
    story: {
      cards: card,
      zone: { on: { 'a.card': card, 'a.inner': inner } },
      writers: true,
      tags: true,
      next: true,
      previous: true,
    },
    writer: { stories: true, best: true, ...cards },
    tag: { stories: true, lead: true, ...cards },
  }
  for (const [type, populate] of Object.entries(members))
    for (const locale of type === 'story' ? ['en', 'fr'] : [undefined])
      found[`${type} ${locale}`] = await cms
        .entries(type)
        .findMany({ status, populate, sort: 'name', ...(locale === undefined ? {} : { locale }) } as never)
  return JSON.parse(
    JSON.stringify(found, (key, value) =>
      ['id', 'documentId', 'createdAt', 'updatedAt', 'publishedAt'].includes(key) ? undefined : value,
    ),
  )
}
