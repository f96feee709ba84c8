// `cms-run export` and `cms-run import`, over databases that last.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'
import { newDatabase } from '../archive/databases-here.ts'
import { newFolder } from '../archive/in-file.ts'
import { postgresHere } from '../support/postgres.ts'
import { runCommand } from '../support/run-command.ts'

const types = `plugins: { upload: false }
contentTypes: { note: { attributes: { title: string, rank: string } } }
`
const server = await postgresHere()

async function lasting(): Promise<string> {
  const { connection, schema } = await newDatabase('postgres')
  return `database: { client: postgres, connection: '${String(connection)}', schema: ${schema} }\n`
}

test.skipIf(server === undefined)(
  'from one database to another, under a configuration that changed',
  async () => {
    const cwd = newFolder()
    const [one, two] = [join(cwd, 'one.yaml'), join(cwd, 'two.yaml')]
    const archive = join(cwd, 'a.tar.gz')
    writeFileSync(one, `${await lasting()}${types}`)
    writeFileSync(
      two,
      `${await lasting()}${types.replace('title:', 'headline: { type: string, renamedFrom: title }, x:')}`,
    )
    expect(await runCommand(['export', one, '--to', archive], { cwd })).toMatchObject({
      code: 1,
      err: expect.stringContaining('the database holds nothing that cms-run made'),
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

test.skipIf(server === undefined)('a configuration that does not fit the content is told', async () => {
  const cwd = newFolder()
  const [one, two] = [join(cwd, 'one.yaml'), join(cwd, 'two.yaml')]
  const archive = join(cwd, 'a.tar.gz')
  writeFileSync(one, `${await lasting()}${types}`)
  writeFileSync(two, `${await lasting()}${types.replace('rank: string', 'rank: integer')}`)
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
