// `cms-run export` and `cms-run import`, over databases that last.

import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'
import { databaseSection, lastingClients } from '../archive/databases-here.ts'
import { newFolder } from '../archive/in-file.ts'
import { runCommand } from '../support/run-command.ts'

const types = `plugins: { upload: false }
contentTypes: { note: { attributes: { title: string, rank: string } } }
`
test.each(lastingClients)(
  '%s: from one database to another, under a configuration that changed',
  async (client) => {
    const cwd = newFolder()
    const [one, two] = [join(cwd, 'one.yaml'), join(cwd, 'two.yaml')]
    const archive = join(cwd, 'a.tar.gz')
    writeFileSync(one, `${await databaseSection(client)}${types}`)
    writeFileSync(
      two,
      `${await databaseSection(client)}${types.replace('title:', 'headline: { type: string, renamedFrom: title }, x:')}`,
    )
    expect(await runCommand(['export', one, '--to', archive], { cwd })).toMatchObject({
      code: 1,
      err: expect.stringMatching(/holds nothing that cms-run made|does not exist yet/),
    })
    const source = await createCms(one, { env: {} })
    await source.entries('note').create({ title: 'a', rank: '1' })
    await source.close()

    const exported = await runCommand(['export', one, '--to', archive, '--json'], { cwd })
    expect(exported.code).toBe(0)
    expect(JSON.parse(exported.out)).toMatchObject({
      rows: { notes: 1, up_roles: 2 },
      files: 0,
      missingFiles: [],
    })
    expect(await runCommand(['export', one, '--to', archive], { cwd })).toMatchObject({
      code: 1,
      err: expect.stringContaining('exists already'),
    })

    const first = await runCommand(['import', archive, '--into', two], { cwd })
    expect(first).toMatchObject({
      code: 0,
      out: expect.stringMatching(/a\.tar\.gz: \d+ rows of \d+ tables, 0 files\n$/),
    })
    expect(first.err).toContain('warning[DBS013]: api::note.note.headline was title before: 1 value kept')
    expect(await runCommand(['import', archive, '--into', two], { cwd })).toMatchObject({
      code: 1,
      err: expect.stringMatching(/the database is not empty: its table \w+ has \d+ rows?; --replace drops/),
    })
    expect((await runCommand(['import', archive, '--into', two, '--replace', '--json'], { cwd })).code).toBe(
      0,
    )
    const target = await createCms(two, { env: {} })
    expect(await target.entries('note').findMany()).toMatchObject([{ id: 1, headline: 'a', rank: '1' }])
    await target.close()
  },
)

test.each(lastingClients)('%s: a configuration that does not fit the content is told', async (client) => {
  const cwd = newFolder()
  const [one, two] = [join(cwd, 'one.yaml'), join(cwd, 'two.yaml')]
  const archive = join(cwd, 'a.tar.gz')
  writeFileSync(one, `${await databaseSection(client)}${types}`)
  writeFileSync(two, `${await databaseSection(client)}${types.replace('rank: string', 'rank: integer')}`)
  const source = await createCms(one, { env: {} })
  await source.entries('note').create({ title: 'a', rank: 'first' })
  await source.close()
  await runCommand(['export', one, '--to', archive], { cwd })
  expect(await runCommand(['import', archive, '--into', two], { cwd })).toMatchObject({
    code: 1,
    err: expect.stringMatching(/DBS002[\s\S]*the configuration does not fit it/),
  })
})

test('what cannot be meant', async () => {
  const cwd = newFolder()
  const file = join(cwd, 'cms.yaml')
  writeFileSync(file, types)
  const rows: readonly [args: string[], code: number, err: RegExp][] = [
    [['export', file], 2, /--to archive\.tar\.gz/],
    [['export', file, '--to', join(cwd, 'a')], 1, /in memory/],
    [['import'], 2, /needs an archive/],
    [['import', 'a', 'b'], 2, /one archive at a time/],
    [['import', 'a', '--strapi', 'b'], 2, /one thing too many/],
    [['import', 'a', '--into', file], 1, /in memory/],
    [['plan', '--replace'], 2, /--replace is for "cms-run import"/],
  ]
  for (const [args, code, err] of rows) {
    expect(await runCommand(args, { cwd })).toEqual({ code, out: '', err: expect.stringMatching(err) })
  }
})

test('an export beside a server that writes is of one moment, and goes in again', async () => {
  const cwd = newFolder()
  const file = join(cwd, 'cms.yaml')
  const archive = join(cwd, 'a.tar.gz')
  const linked = `contentTypes:
  note: { attributes: { title: string, tags: { type: relation, relation: manyToMany, target: api::tag.tag } } }
  tag: { attributes: { name: string } }
`
  writeFileSync(file, `${await databaseSection('sqlite')}${linked}`)
  const cms = await createCms(file, { env: {} })
  for (let index = 0; index < 600; index++) await cms.entries('tag').create({ name: `t${index}` })
  let writing = true
  let written = 0
  const writer = (async () => {
    while (writing) {
      // Its link must not come without it, in whatever order the tables are read.
      const tag = await cms.entries('tag').create({ name: 'new' })
      await cms.entries('note').create({ title: 'x', tags: [tag.id] })
      written += 1
    }
  })()
  const outcome = await cmsRun(['export', file, '--to', archive], cwd)
  writing = false
  await writer
  await cms.close()
  expect(outcome).toMatchObject({ code: 0 })
  expect(written).toBeGreaterThan(10)
  const other = join(cwd, 'other.yaml')
  writeFileSync(other, `${await databaseSection('sqlite')}${linked}`)
  expect(await runCommand(['import', archive, '--into', other], { cwd })).toMatchObject({ code: 0 })
  const again = await createCms(other, { env: {} })
  const notes = await again.entries('note').findMany({ populate: 'tags' })
  expect(notes.length).toBeGreaterThan(0)
  expect(notes.filter(({ tags }) => (tags as unknown[]).length !== 1)).toEqual([])
  await again.close()
})

/** In a process of its own, beside the one that writes. */
function cmsRun(args: readonly string[], cwd: string): Promise<{ code: number | null; err: string }> {
  const bin = join(import.meta.dirname, '../../bin/cms-run.js')
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [bin, ...args], { cwd }, (_error, _out, err) =>
      resolve({ code: child.exitCode, err }),
    )
  })
}

test('uploaded files go along, with their formats, and are handed out again', async () => {
  const cwd = newFolder()
  const [here, there] = [join(cwd, 'here'), join(cwd, 'there')]
  const archive = join(cwd, 'a.tar.gz')
  const yaml = `contentTypes: { note: { attributes: { cover: { type: media, multiple: false } } } }
auth: { roles: { public: { permissions: ['plugin::upload.content-api.*', 'note.*'] } } }
`
  for (const folder of [here, there]) {
    mkdirSync(folder)
    writeFileSync(join(folder, 'cms.yaml'), `database: { client: sqlite, filename: cms.db }\n${yaml}`)
  }
  const source = await createCms(join(here, 'cms.yaml'), { env: {} })
  const form = new FormData()
  const image = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#a00' } })
    .png()
    .toBuffer()
  form.append('files', new Blob([new Uint8Array(image)], { type: 'image/png' }), 'red.png')
  const uploaded = await source.fetch('/api/upload', { method: 'POST', body: form })
  const [file] = (await uploaded.json()) as {
    id: number
    url: string
    formats: Record<string, { url: string }>
  }[]
  await source.entries('note').create({ cover: file?.id })
  await source.close()

  const exported = await runCommand(['export', join(here, 'cms.yaml'), '--to', archive, '--json'], { cwd })
  expect(JSON.parse(exported.out)).toMatchObject({
    files: 1 + Object.keys(file?.formats ?? {}).length,
    missingFiles: [],
  })
  expect((await runCommand(['import', archive, '--into', join(there, 'cms.yaml')], { cwd })).code).toBe(0)
  const target = await createCms(join(there, 'cms.yaml'), { env: {} })
  const note = (await (await target.fetch('/api/notes?populate=*')).json()) as object
  expect(note).toMatchObject({
    data: [{ attributes: { cover: { data: { attributes: { url: file?.url } } } } }],
  })
  const urls = [file?.url ?? '', ...Object.values(file?.formats ?? {}).map(({ url }) => url)]
  expect(urls.length).toBeGreaterThan(1)
  for (const url of urls) expect((await target.fetch(url)).status).toBe(200)
  expect(Buffer.from(await (await target.fetch(file?.url ?? '')).arrayBuffer())).toEqual(
    readFileSync(join(here, 'uploads', file?.url.slice('/uploads/'.length) ?? '')),
  )
  await target.close()
})
