// A Strapi 4 project -> a configuration that is right, and its content as REST answers it.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createCms } from '../../src/index.ts'
import { readTar } from '../../src/storage/archive/read-tar.ts'
import { databaseSection, lastingClients } from '../archive/databases-here.ts'
import { newFolder } from '../archive/in-file.ts'
import { runCommand } from '../support/run-command.ts'
import { bcrypt, writeExport, writeProject } from './strapi-fixtures.ts'

test('a folder: schemas become a file that validates, and no code runs', async () => {
  const cwd = newFolder()
  const project = writeProject(join(cwd, 'project'))
  const file = join(cwd, 'cms.yaml')
  const { code, out, err } = await runCommand(['import', '--strapi', project, '--into', file], { cwd })
  expect(out).toBe('')
  expect(err).toContain('src/api/article/policies/is-owner.js is code and is not taken')
  expect(err).toContain('config/plugins.js is code')
  expect(err).toContain('api::article.article.editor is left out: it points at admin::user')
  expect(err).toContain(
    'api::article.article.color is a custom field (plugin::color-picker.color): it is taken as string',
  )
  expect(code).toBe(0)
  const text = readFileSync(file, 'utf8')
  expect(parse(text).plugins.graphql).toEqual({ config: { depthLimit: 0, amountLimit: -1 } })
  expect(text).toContain('strict: false')
  expect(await runCommand(['print-config', file, '--json'], { cwd })).toMatchObject({ code: 0 })
  // And a file that is there is not touched.
  expect(await runCommand(['import', '--strapi', project, '--into', file], { cwd })).toMatchObject({
    code: 1,
    err: expect.stringContaining('is there already'),
  })
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test('limits of GraphQL are taken where they are plain values', async () => {
  const cwd = newFolder()
  const project = writeProject(join(cwd, 'project'))
  writeFileSync(
    join(project, 'config/plugins.js'),
    `module.exports = ({ env }) => ({
      upload: { config: { sizeLimit: env.int('SIZE', 1) } },
      graphql: { enabled: true, config: {
        endpoint: env('PATH', '/api/graphql'), shadowCRUD: true, depthLimit: 19, amountLimit: 50, defaultLimit: env.int('LIMIT', 25), maxLimit: limit(),
        apolloServer: { tracing: false },
      } },
    });`,
  )
  const file = join(cwd, 'cms.yaml')
  const { code, err } = await runCommand(['import', '--strapi', project, '--into', file], { cwd })
  expect(code).toBe(0)
  expect(err).toContain(
    'config/plugins.js: graphql.config.maxLimit is code or out of range, and is not taken',
  )
  expect(err).toContain(
    'config/plugins.js: graphql.config.amountLimit has no effect in Strapi, and is -1 here',
  )
  const { plugins } = parse(readFileSync(file, 'utf8'))
  expect(plugins.graphql).toEqual({
    config: {
      endpoint: '/api/graphql',
      shadowCRUD: true,
      depthLimit: 19,
      amountLimit: -1,
      defaultLimit: 25,
    },
  })
})

test('relations that name no other side stay two relations', async () => {
  const cwd = newFolder()
  const project = writeProject(join(cwd, 'project'))
  for (const [name, other] of [
    ['guide', 'place'],
    ['place', 'guide'],
  ] as const) {
    const folder = join(project, `src/api/${name}/content-types/${name}`)
    mkdirSync(folder, { recursive: true })
    const list = { type: 'relation', relation: 'manyToMany', target: `api::${other}.${other}` }
    const schema = {
      kind: 'collectionType',
      info: { singularName: name, pluralName: `${name}s`, displayName: name },
      attributes: { [`${other}s`]: list, parent: { ...list, relation: 'manyToOne' } },
    }
    writeFileSync(join(folder, 'schema.json'), JSON.stringify(schema))
  }
  const file = join(cwd, 'cms.yaml')
  const { code, err } = await runCommand(['import', '--strapi', project, '--into', file], { cwd })
  expect(err).not.toContain('error')
  expect(code).toBe(0)
  const { contentTypes } = parse(readFileSync(file, 'utf8'))
  expect(contentTypes.guide.attributes.places.oneWay).toBe(true)
  expect(contentTypes.place.attributes.guides.oneWay).toBe(true)
  // Two `manyToOne` cannot be taken for one relation.
  expect(contentTypes.guide.attributes.parent).not.toHaveProperty('oneWay')
})

test.each(lastingClients)('an archive into %s: a configuration, and all that it had', async (client) => {
  const cwd = newFolder()
  const project = writeProject(join(cwd, 'project'))
  const archive = await writeExport(join(cwd, 'export.tar.gz'))
  const file = join(cwd, 'cms.yaml')
  if (client !== 'sqlite') {
    // The made configuration keeps its content in a file; here it is to be elsewhere.
    const elsewhere = newFolder()
    await runCommand(
      ['import', '--strapi', archive, '--project', project, '--into', join(elsewhere, 'cms.yaml')],
      {
        cwd: elsewhere,
      },
    )
    const text = readFileSync(join(elsewhere, 'cms.yaml'), 'utf8')
    writeFileSync(file, text.replace(/^database:\n( .*\n)+/, await databaseSection(client)))
  }
  const { code, out, err } = await runCommand(
    ['import', '--strapi', archive, '--project', project, '--into', file, '--json'],
    {
      cwd,
    },
  )
  const made = readFileSync(file, 'utf8')
  expect(made).toContain('defaultLocale: fr')
  expect(made).toContain('allow_register: false')
  expect(code, err).toBe(0)
  expect(JSON.parse(out)).toMatchObject({
    entries: {
      'api::article.article': 2,
      'api::tag.tag': 2,
      'plugin::upload.file': 2,
      'plugin::users-permissions.user': 1,
    },
    files: 2,
    leftOut: { 'plugin::upload.folder': 1 },
    danglingLinks: 1,
    misfits: 0,
  })
  expect(readFileSync(join(cwd, 'uploads/red_1a2b.png'), 'utf8')).toBe('red')

  const cms = await createCms(file, { env: {} })
  const response = await cms.fetch('/api/articles?locale=en&populate=*')
  const { data } = (await response.json()) as { data: unknown }
  expect(data).toMatchObject([
    {
      id: 20,
      attributes: {
        title: 'One',
        price: 12.5,
        big: '9007199254740993',
        at: '12:30:00.000',
        moment: '2024-02-29T12:00:00.000Z',
        extra: { a: [1] },
        open: true,
        createdAt: '2022-01-02T03:04:05.678Z',
        publishedAt: '2022-02-02T00:00:00.000Z',
      },
    },
  ])
  const [article] = await cms.entries('article').findMany({
    filters: { id: 20 },
    populate: {
      author: '*',
      tags: '*',
      owner: '*',
      cover: '*',
      gallery: '*',
      localizations: '*',
      seo: { populate: '*' },
      blocks: { populate: '*' },
    },
  })
  expect(article).toMatchObject({
    author: { id: 5, name: 'Ann' },
    tags: [{ name: 'b' }, { name: 'a' }],
    owner: { id: 3, nick: 'A' },
    cover: {
      id: 8,
      url: '/uploads/red_1a2b.png',
      provider: 'local',
      formats: { thumbnail: { url: '/uploads/thumbnail_red_1a2b.png' } },
    },
    gallery: [{ id: 9 }, { id: 8 }],
    localizations: [{ id: 21, locale: 'fr' }],
    seo: { id: 4, metaTitle: 'Meta', image: { id: 8 } },
    blocks: [
      { __component: 'page.quote', id: 6, text: 'q', tag: { name: 'a' }, seo: { metaTitle: 'Inner' } },
      { __component: 'shared.seo', id: 7, metaTitle: 'Z' },
    ],
  })
  expect(await cms.entries('home').findMany()).toMatchObject([{ id: 1, title: 'Welcome' }])
  expect(await cms.entries('article').create({ title: 'next' })).toMatchObject({ id: 22 })
  const users = await cms.entries('plugin::users-permissions.user').findMany({ populate: 'role' })
  expect(users).toMatchObject([{ id: 3, username: 'ann', role: { type: 'authenticated' } }])
  // The public may still read articles, and nothing else; who had a password has it.
  expect((await cms.fetch('/api/tags')).status).toBe(403)
  const again = join(cwd, 'again.tar.gz')
  await runCommand(['export', file, '--to', again], { cwd })
  for await (const entry of readTar(again)) {
    if (entry.name.startsWith('rows/up_users/')) expect(await entry.text(1e6)).toContain(bcrypt)
  }
  await cms.close()
})

test('archives that cannot be taken', async () => {
  const cwd = newFolder()
  const file = join(cwd, 'cms.yaml')
  const run = async (path: string) => {
    const { code, err } = await runCommand(['import', '--strapi', path, '--into', file], { cwd })
    expect(code).toBe(1)
    return err
  }
  const encrypted = join(cwd, 'export.tar.gz.enc')
  writeFileSync(encrypted, 'x'.repeat(2000))
  expect(await run(encrypted)).toContain('it is encrypted: make it again with strapi export --no-encrypt')
  expect(await run(join(cwd, 'missing'))).toContain('there is no such file or folder')
  expect(await run(cwd)).toContain('package.json does not name @strapi/strapi')
  expect(await run(writeProject(join(cwd, 'six'), '6.1.0'))).toContain(
    'it is made for Strapi 6.1.0; this reads Strapi 4 and 5',
  )
  const newer = await writeExport(join(cwd, 'a.tar.gz'), { metadata: { strapi: { version: '6.0.0' } } })
  expect(await run(newer)).toContain('it was made by Strapi 6.0.0; this reads Strapi 4 and 5')
  const broken = join(cwd, 'b.tar.gz')
  writeFileSync(broken, readFileSync(newer).subarray(0, 500))
  expect(await run(broken)).toContain('it cannot be read')
})

test('values that do not fit are left out by choice, with their paths', async () => {
  const cwd = newFolder()
  const entities = [
    { type: 'api::author.author', id: 5, data: { name: 'Ann', createdAt: 'yesterday' } },
    {
      type: 'api::article.article',
      id: 20,
      data: { title: 'One', big: '99999999999999999999999', seo: { id: 3, metaTitle: { no: 'text' } } },
    },
  ]
  const archive = await writeExport(join(cwd, 'a.tar.gz'), { entities })
  const run = async (file: string, ...flags: string[]) =>
    runCommand(['import', '--strapi', archive, '--into', join(cwd, file), ...flags], { cwd })
  const stopped = await run('stop.yaml')
  expect(stopped.code).toBe(1)
  for (const line of [
    'api::author.author 5: "createdAt" is not a value of type datetime',
    'api::article.article 20: "big" is not a value of type biginteger',
    'api::article.article 20: "seo.metaTitle" is not a value of type string',
  ])
    expect(stopped.err).toContain(line)
  for (const [file, choice] of [
    ['skip.yaml', 'skip'],
    ['text.yaml', 'text'],
  ] as const) {
    const { code, out, err } = await run(file, '--on-misfit', choice)
    expect(code, err).toBe(0)
    expect(out).toContain('2 entries of 2 content-types')
    expect(err).toContain('api::article.article 20: "big" is not a value of type biginteger: it is left out')
    expect(existsSync(join(cwd, `${choice}.misfits.jsonl`))).toBe(choice === 'text')
    // Each keeps its content in the same place.
    rmSync(join(cwd, '.data'), { recursive: true })
  }
  const kept = readFileSync(join(cwd, 'text.misfits.jsonl'), 'utf8').trim().split('\n')
  expect(kept.map((line) => JSON.parse(line))).toContainEqual({
    ...{ type: 'api::article.article', id: 20, path: 'big', expected: 'biginteger' },
    value: '99999999999999999999999',
  })
  expect(await run('x.yaml', '--on-misfit', 'drop')).toMatchObject({
    code: expect.any(Number),
    err: expect.stringContaining('--on-misfit is stop, skip or text, not "drop"'),
  })
})

test('a value that does not fit is named, and nothing is changed', async () => {
  const cwd = newFolder()
  const file = join(cwd, 'cms.yaml')
  const entities = [{ type: 'api::author.author', id: 5, data: { name: 'Ann', createdAt: 'yesterday' } }]
  const archive = await writeExport(join(cwd, 'a.tar.gz'), { entities })
  expect(await runCommand(['import', '--strapi', archive, '--into', file], { cwd })).toMatchObject({
    code: 1,
    err: expect.stringContaining('api::author.author 5: "createdAt" is not a value of type datetime'),
  })
  expect(await runCommand(['plan', file, '--exit-code'], { cwd })).toMatchObject({ code: 3 })
})
