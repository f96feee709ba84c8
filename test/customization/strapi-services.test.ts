// Code of Strapi projects that uses services of plugins, `@strapi/utils`, and variables of `.env`.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'

let cms: Cms | undefined
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cms-services-'))
})

afterEach(async () => {
  await cms?.close()
  await rm(folder, { recursive: true })
})

const warnings: string[] = []

type Dialect = 'strapi-4' | 'strapi-5'

/** The response of a route whose handler is `code`, to a visitor who may find notes and not makers. */
async function answer(code: string, dialect: Dialect = 'strapi-4', path = '/api/told'): Promise<unknown> {
  const handler = `const utils = require('@strapi/utils')
const top = process.env.FROM_FILE
const attempt = async (task) => { try { return await task() } catch (error) { return error.message } }
module.exports = async (ctx) => { ${code} }`
  warnings.length = 0
  await writeFile(join(folder, 'handler.js'), handler)
  await writeFile(
    join(folder, 'cms.yaml'),
    JSON.stringify({
      dialect,
      database: { client: 'memory' },
      plugins: {
        email: true,
        upload: { config: { sizeLimit: 1000 } },
        'users-permissions': { config: { jwtSecret: 'x'.repeat(32), advanced: { allow_register: false } } },
      },
      contentTypes: {
        note: {
          attributes: {
            title: 'string',
            secret: { type: 'string', private: true },
            maker: { type: 'relation', relation: 'manyToOne', target: 'maker' },
            cover: 'image',
            extras: { type: 'media', multiple: true },
          },
        },
        maker: { attributes: { name: 'string' } },
      },
      data: { maker: [{ name: 'M' }], note: [{ title: 'a', secret: 's', maker: 'M' }] },
      auth: { roles: { public: { permissions: ['note.find'] } } },
      routes: [{ path: '/told', handler: './handler.js', auth: false }],
    }),
  )
  cms = await createCms(join(folder, 'cms.yaml'), {
    env: {},
    log: (line) => {
      if (line.includes(' ignores ')) warnings.push(JSON.parse(line).message)
    },
  })
  return (await cms.fetch(path)).json()
}

const NOTE = `const type = strapi.getModel('api::note.note')
  const found = await strapi.db.query('api::note.note').findMany({ select: ['*', 'secret'], populate: ['maker'] })`

test('sanitize of @strapi/utils leaves out values that the caller may not see', async () => {
  const told = await answer(`${NOTE}
    const { output, input, query } = utils.sanitize.contentAPI
    const { auth } = ctx.state
    return {
      read: found[0].secret,
      one: await output(found[0], type, { auth }),
      many: await strapi.contentAPI.sanitize.output(found, type, { auth }),
      forNobody: await output(found, type),
      sent: await input({ title: 't', id: 7, maker: 1 }, type, { auth }),
      asked: await query({ filters: { title: 'a' } }, type, { auth }),
      refused: await attempt(() => query({ filters: { secret: 's' } }, type, { auth })),
      related: await attempt(() => utils.validate.contentAPI.query({ filters: { maker: { name: 'M' } } }, type, { auth })),
      stranger: await attempt(() => output(found, type, { auth: {} })),
    }`)
  const clean = { id: 1, title: 'a', createdAt: expect.any(String), updatedAt: expect.any(String) }
  expect(told).toEqual({
    read: 's',
    one: clean,
    many: [clean],
    forNobody: [{ ...clean, maker: expect.objectContaining({ name: 'M' }) }],
    sent: { title: 't' },
    asked: { filters: { title: 'a' } },
    refused: 'Invalid parameter secret',
    related: 'Invalid parameter maker',
    stranger: expect.stringContaining('ctx of the request'),
  })
})

test('variables of .env are in process.env of code, not of the process', async () => {
  await writeFile(join(folder, '.env'), 'FROM_FILE=word')
  const told = await answer(`
    if (strapi.dirs.app.root !== __dirname || !strapi.dirs.static.public.endsWith('public')) throw new Error(strapi.dirs.app.root)
    const seen = [top, process.env.FROM_FILE, 'FROM_FILE' in process.env, typeof process.env.PATH]
    process.env.SET_BY_CODE = 'x'
    return [...seen, process.env.SET_BY_CODE]`)
  expect(told).toEqual(['word', 'word', true, 'string', 'x'])
  expect(process.env['FROM_FILE']).toBeUndefined()
  delete process.env['SET_BY_CODE']
})

describe.each(['strapi-4', 'strapi-5'] as const)('the service of upload: %s', (dialect) => {
  test('stores files of the disk, which an entry shows', async () => {
    await writeFile(join(folder, 'a.png'), Buffer.from(PNG, 'base64'))
    await writeFile(join(folder, 'large.txt'), 'x'.repeat(2000))
    const told = (await answer(
      `const upload = strapi.plugin('upload').service('upload')
      const file = { filepath: __dirname + '/a.png', originalFilename: 'b.png', mimetype: 'image/png' }
      const place = { ref: 'api::note.note', refId: 1 }
      const [cover] = await upload.upload({ data: { ...place, field: 'cover', fileInfo: { alternativeText: 'dot', name: 'c.png' } }, files: file })
      await upload.upload({ data: { ...place, field: 'extras' }, files: [{ path: file.filepath, name: 'x.png', type: 'image/png' }] })
      await upload.upload({ data: { ...place, field: 'extras' }, files: [file] })
      const updated = await upload.updateFileInfo(cover.id, { caption: 'new' })
      const large = await attempt(() => upload.upload({ data: {}, files: { filepath: __dirname + '/large.txt' } }))
      const wrong = await attempt(() => upload.upload({ data: { ...place, field: 'title' }, files: file }))
      const absent = await attempt(() => upload.upload({ data: {}, files: { filepath: __dirname + '/no.txt' } }))
      const note = await strapi.db.query('api::note.note').findOne({ where: { id: 1 }, populate: ['cover', 'extras'] })
      const before = (await upload.findMany()).length
      await upload.remove(cover)
      return { cover, updated, large, wrong, absent, note, before, after: await upload.findOne(cover.id) }`,
      dialect,
    )) as Record<string, unknown>
    expect(told).toMatchObject({
      cover: { name: 'c.png', alternativeText: 'dot', mime: 'image/png', width: 1 },
      updated: { caption: 'new', alternativeText: 'dot' },
      large: expect.stringContaining('larger than 1000 bytes'),
      wrong: expect.stringContaining('no media "title"'),
      absent: expect.stringContaining('ENOENT'),
      note: { cover: { name: 'c.png' }, extras: [{ name: 'x.png' }, { name: 'b.png' }] },
      before: 3,
      after: null,
    })
  })
})

test('sendTemplatedEmail fills a template with values, and runs nothing', async () => {
  const told = await answer(`const { email } = strapi.plugins.email.services
    const send = (template, data) => email.sendTemplatedEmail({ to: 'a@b.de' }, template, data)
    await send({ subject: 'Hi <%= user.name %>', text: '<%= user.name %>', html: '<b><%- user.name %></b>' }, { user: { name: 'B<' } })
    return [await attempt(() => send({ subject: 'x', text: '<%= process.exit() %>', html: 'x' }, {}))]`)
  expect(told).toEqual([expect.stringContaining('"<%= process.exit() %>"')])
  expect(cms?.outbox).toMatchObject([{ to: 'a@b.de', subject: 'Hi B<', text: 'B<', html: '<b>B&#60;</b>' }])
})

test('strapi.documents reads and writes users and files by documentId', async () => {
  const told = await answer(
    `const users = strapi.documents('plugin::users-permissions.user')
    const made = await users.create({ data: { username: 'ann', email: 'a@b.de', password: 'Secret12' } })
    const { documentId } = made
    return {
      found: await users.findOne({ documentId, populate: ['role'] }),
      updated: await users.update({ documentId, data: { username: 'bea' } }),
      many: (await users.findMany({ filters: { username: 'bea' } })).length,
      nobody: [await users.findOne({ documentId: 'x' }), await users.update({ documentId: 'x', data: {} })],
      publish: typeof users.publish,
      deleted: (await users.delete({ documentId })).entries.length,
      left: await users.count(),
      files: await strapi.documents('plugin::upload.file').findMany(),
    }`,
    'strapi-5',
  )
  expect(told).toMatchObject({
    found: { username: 'ann', documentId: expect.stringMatching(/^[a-z0-9]{24}$/) },
    updated: { username: 'bea' },
    many: 1,
    nobody: [null, null],
    publish: 'undefined',
    deleted: 1,
    left: 0,
    files: [],
  })
  expect(JSON.stringify(told)).not.toContain('password')
})

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test('reads take dates and names of the database, and ignore other keys with a warning', async () => {
  const told = await answer(
    `const notes = strapi.documents('api::note.note')
    const database = strapi.db.query('api::note.note')
    const [past, future] = [new Date(0), new Date(Date.now() + 60_000)]
    await notes.create({ data: { title: 'b' } })
    const titles = (list) => list.map(({ title }) => title)
    return {
      named: await notes.findMany({ where: { title: 'b' }, select: ['title'], orderBy: { id: 'asc' }, offset: 0 }),
      none: await notes.findMany({ filters: { createdAt: { $lt: past } } }),
      all: titles(await notes.findMany({ filters: { createdAt: { $between: [past, future] } }, sort: 'title' })),
      not: titles(await database.findMany({ where: { $and: [{ createdAt: { $gt: future } }] } })),
      ignored: [(await notes.findMany({ publicationState: 'live' })).length, await database.count({ filters: { title: 'b' } })],
      refused: await attempt(() => database.delete({ filters: { title: 'b' } })),
    }`,
    'strapi-5',
  )
  expect(told).toEqual({
    named: [{ id: expect.any(Number), documentId: expect.any(String), title: 'b' }],
    none: [],
    all: ['a', 'b'],
    not: [],
    ignored: [2, 2],
    refused: expect.stringContaining('takes no "filters" here'),
  })
  expect(warnings).toEqual([
    expect.stringContaining('strapi.documents(…).findMany ignores "publicationState": it takes fields'),
    expect.stringContaining('strapi.db.query(…) ignores "filters": it takes where'),
  ])
})

test.each(['strapi-4', 'strapi-5'] as const)(
  'unknown names in populate are ignored, with one warning: %s',
  async (dialect) => {
    const told = await answer(
      `const uid = 'api::note.note'
      const read = async (query) => {
        const [note] = await query
        return [note.title, note.maker?.name].join()
      }
      const query = strapi.db.query(uid)
      const { results } = await strapi.service(uid).find({ populate: { maker: { populate: ['house'] }, image: true } })
      const made = await strapi.entityService.create('api::maker.maker', { data: { name: 'N' }, populate: 'deep' })
      const [first] = await query.findMany()
      return [
        await read(strapi.entityService.findMany(uid, { populate: 'deep' })),
        await read(strapi.entityService.findMany(uid, { populate: ['image', 'maker.house', 'title'] })),
        await read(strapi.entityService.findPage(uid, { populate: { image: true, maker: { populate: { house: true } } } }).then(({ results }) => results)),
        await read(query.findMany({ populate: { image: true, maker: { populate: ['house'] } } })),
        await read([await strapi.entityService.findOne(uid, first.id, { populate: ['maker', 'image'] })]),
        await read(results),
        ${dialect === 'strapi-5' ? "await read(strapi.documents(uid).findMany({ populate: ['image', 'maker'] }))," : ''}
        made.name,
        await attempt(() => strapi.entityService.findMany(uid, { filters: { image: 1 } })),
      ]`,
      dialect,
    )
    expect(told).toEqual([
      'a,',
      ...Array.from({ length: dialect === 'strapi-5' ? 6 : 5 }, () => 'a,M'),
      'N',
      expect.stringMatching(/Invalid (?:parameter|key) image/),
    ])
    expect(warnings.toSorted()).toEqual(
      [
        'populate of api::note.note ignores "deep"',
        'populate of api::note.note ignores "image"',
        'populate of api::note.note ignores "title"',
        'populate of api::maker.maker ignores "deep"',
        'populate of api::maker.maker ignores "house"',
      ]
        .toSorted()
        .map((text) => expect.stringContaining(text)),
    )
    await expect(cms?.entries('note').findMany({ populate: 'deep' })).rejects.toThrow(/deep/)
  },
)
