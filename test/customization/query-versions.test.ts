// `strapi.db.query` of types with draft and published versions sees and changes single versions, as in Strapi 5.

import { afterEach, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'

let cms: Cms | undefined

afterEach(async () => {
  await cms?.close()
  cms = undefined
})

type Strapi = Parameters<NonNullable<NonNullable<Parameters<typeof createCms>[1]>['bootstrap']>>[0]['strapi']

async function run(code: (strapi: Strapi) => Promise<void>): Promise<void> {
  let done = false
  cms = await createCms(
    {
      dialect: 'strapi-5',
      plugins: { i18n: { locales: ['en', 'fr'] } },
      contentTypes: {
        note: {
          drafts: true,
          localized: true,
          attributes: {
            text: { type: 'string', localized: true, required: true },
            views: { type: 'integer', localized: true },
            tag: 'tag',
          },
        },
        tag: { drafts: true, attributes: { name: 'string' } },
      },
      auth: { roles: { public: { permissions: ['note.find', 'tag.find'] } } },
    },
    {
      async bootstrap({ strapi }) {
        await code(strapi)
        done = true
      },
    },
  )
  expect(done).toBe(true)
}

const NOTE = 'api::note.note'

test('both versions and all locales are rows', async () => {
  await run(async (strapi) => {
    const notes = strapi.documents(NOTE)
    const documentId = String((await notes.create({ data: { text: 'a' } }))['documentId'])
    await notes.publish({ documentId })
    await notes.update({ documentId, data: { text: 'a2' } })
    await notes.update({ documentId, locale: 'fr', data: { text: 'f' } })
    const query = strapi.db.query(NOTE)
    const rows = await query.findMany({ where: { documentId }, orderBy: { text: 'asc' } })
    expect(rows.map((row) => [row['text'], row['publishedAt'] !== null, row['locale']])).toEqual([
      ['a', true, 'en'],
      ['a2', false, 'en'],
      ['f', false, 'fr'],
    ])
    expect(await query.count({ where: { publishedAt: { $notNull: true } } })).toBe(1)
    expect(await query.findOne({ where: { publishedAt: null } })).toMatchObject({ text: 'a2' })
    expect(await query.findWithCount({ where: { locale: 'fr' }, limit: 1 })).toMatchObject([
      [{ text: 'f' }],
      1,
    ])
  })
})

test('a write changes the version that it finds', async () => {
  await run(async (strapi) => {
    const tag = await strapi.documents('api::tag.tag').create({ data: { name: 't' }, status: 'published' })
    const query = strapi.db.query(NOTE)
    const draft = await query.create({ data: { text: 'd', views: 0 } })
    const made = await query.create({
      data: {
        text: 'p',
        views: 0,
        publishedAt: new Date().toISOString(),
        tag: { connect: [tag.documentId] },
      },
    })
    expect([draft['publishedAt'], typeof made['publishedAt']]).toEqual([null, 'string'])
    const published = { documentId: made['documentId'], publishedAt: { $notNull: true } }
    expect(await query.update({ where: published, data: { views: 5 } })).toMatchObject({ views: 5 })
    const versions = await query.findMany({ where: { documentId: made['documentId'] }, orderBy: 'views' })
    expect(versions.map((row) => row['views'])).toEqual([0, 5])
    expect(await query.updateMany({ where: { text: 'p' }, data: { views: 7 } })).toEqual({ count: 2 })
    await expect(query.update({ where: published, data: { publishedAt: null } })).rejects.toThrow(
      'does not write publishedAt: use publish and unpublish',
    )
    expect(await query.update({ where: { text: 'nobody' }, data: { views: 1 } })).toBe(null)
    expect((await query.createMany({ data: [{ text: 'm1' }, { text: 'm2' }] })).count).toBe(2)
  })
  const response = await cms?.fetch('/api/notes?populate=tag')
  expect(await response?.json()).toMatchObject({ data: [{ text: 'p', views: 7, tag: { name: 't' } }] })
})

test('a document keeps its draft until that is deleted', async () => {
  await run(async (strapi) => {
    const query = strapi.db.query(NOTE)
    const made = await strapi.documents(NOTE).create({ data: { text: 'a' }, status: 'published' })
    const documentId = String(made['documentId'])
    expect(await query.count({ where: { documentId } })).toBe(2)
    expect(await query.delete({ where: { documentId, publishedAt: { $notNull: true } } })).toMatchObject({
      text: 'a',
    })
    expect(await query.findMany({ where: { documentId } })).toMatchObject([{ publishedAt: null }])
    await strapi.documents(NOTE).publish({ documentId })
    await query.delete({ where: { documentId, publishedAt: null } })
    expect(await query.count({ where: { documentId } })).toBe(0)
    await strapi.documents(NOTE).create({ data: { text: 'b' }, status: 'published' })
    expect(await query.deleteMany({ where: { text: 'b' } })).toEqual({ count: 2 })
    expect(await query.count()).toBe(0)
  })
})
