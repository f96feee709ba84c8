// A process that is killed between storing a file and writing its entry: the next start removes the file, and no other.

import { fork } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createCms } from '../../src/index.ts'
import { createPendingFiles } from '../../src/plugins/upload/pending-files.ts'
import { getAbandonedBefore, OWN_FOLDER } from '../../src/plugins/upload/spool-folder.ts'
import { packExport } from '../strapi/strapi-fixtures.ts'
import { runCommand } from '../support/run-command.ts'

const root = join(import.meta.dirname, '../..')

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cms-killed-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const configIn = (folder: string, name = 'cms.db') => ({
  database: { client: 'sqlite', filename: join(folder, name) },
  contentTypes: { shelf: { attributes: { label: 'string' } } },
  plugins: {
    upload: { config: { provider: 'local', providerOptions: { directory: join(folder, 'files') } } },
  },
  auth: { roles: { public: { permissions: ['plugin::upload.content-api.*'] } } },
})

/** Runs code in a process of its own until that kills itself. `cms` is served, `upload(name)` sends a file. */
async function killed(folder: string, config: object, code: string): Promise<void> {
  const script = join(folder, 'killed.mts')
  await writeFile(
    script,
    `import { createCms } from ${JSON.stringify(join(root, 'src/index.ts'))}
const die = () => process.kill(process.pid, 'SIGKILL')
const cms = await createCms(${JSON.stringify(config)}, {
  env: {},
  lifecycles: { 'plugin::upload.file': { async beforeCreate({ params }) {
    if (params.data.name !== 'dies.txt') return
    die()
    await new Promise(() => {})
  } } },
})
const upload = async (name) => {
  const body = new FormData()
  body.append('files', new Blob(['hello']), name)
  return (await cms.fetch('/api/upload', { method: 'POST', body })).json()
}
${code}`,
  )
  const child = fork(script, { cwd: root, execArgv: ['--import', 'tsx'] })
  const [, signal] = await new Promise<unknown[]>((resolve) => child.once('exit', (...how) => resolve(how)))
  expect(signal).toBe('SIGKILL')
}

async function storedIn(folder: string): Promise<string[]> {
  const entries = await readdir(join(folder, 'files'), { withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name.replace(/_[0-9a-f]{10}/, ''))
}

test('the file is removed at the next start; those with entries, and those of others, stay', async () => {
  const folder = await newFolder()
  await killed(folder, configIn(folder), "await upload('kept.txt')\nawait upload('dies.txt')")
  await writeFile(join(folder, 'files/somebodys_0123456789.txt'), 'x')
  expect((await storedIn(folder)).sort()).toEqual(['dies.txt', 'kept.txt', 'somebodys.txt'])
  // Of another database, whose entries this one does not know.
  const other = await createCms(configIn(folder, 'other.db'), { env: {} })
  await other.close()
  expect(await storedIn(folder)).toHaveLength(3)
  const cms = await createCms(configIn(folder), { env: {} })
  expect((await storedIn(folder)).sort()).toEqual(['kept.txt', 'somebodys.txt'])
  const [file] = await cms.entries('plugin::upload.file').findMany()
  expect((await cms.fetch(String(file?.['url']))).status).toBe(200)
  await cms.close()
  expect(await readdir(join(folder, 'files/.incoming/pending'))).toEqual([])
})

test('a file whose entry was written stays, though its process could not say so', async () => {
  const folder = await newFolder()
  const code = `const [{ hash, ext }] = await upload('kept.txt')
const { createPendingFiles } = await import(${JSON.stringify(join(root, 'src/plugins/upload/pending-files.ts'))})
const { parseOptions } = await import(${JSON.stringify(join(root, 'src/plugins/upload/options.ts'))})
const whole = { ...${JSON.stringify(configIn(folder))}, directory: process.cwd(), server: { limits: {} } }
const { database } = parseOptions({ config: {}, whole })
const pending = createPendingFiles(${JSON.stringify(join(folder, 'files/.incoming'))}, database)
await pending.begin(hash + ext)
await pending.begin('small_' + hash + ext)
die()`
  await killed(folder, configIn(folder), code)
  const cms = await createCms(configIn(folder), { env: {} })
  await cms.close()
  expect(await storedIn(folder)).toEqual(['kept.txt'])
  expect(await readdir(join(folder, 'files/.incoming/pending'))).toEqual([])
})

test('files of an import that failed are removed at the next start', async () => {
  const folder = await newFolder()
  const attributes = { label: { type: 'string', unique: true } }
  const config = { ...configIn(folder), contentTypes: { shelf: { attributes } } }
  const file = join(folder, 'cms.yaml')
  await writeFile(file, JSON.stringify(config))
  const info = { singularName: 'shelf', pluralName: 'shelves', displayName: 'Shelf' }
  const entity = (id: number) => ({ type: 'api::shelf.shelf', id, data: { label: 'same' } })
  const pack = (entities: readonly object[], files: Readonly<Record<string, string>>) =>
    packExport(join(folder, 'export.tar.gz'), {
      schemas: [{ uid: 'api::shelf.shelf', kind: 'collectionType', info, attributes }],
      ...{ entities, files, links: [], configuration: [] },
      metadata: { strapi: { version: '4.15.5' } },
    })
  const archive = await pack([entity(1), entity(2)], { 'red_1a2b.png': 'red' })
  const script = join(folder, 'import.mts')
  await writeFile(
    script,
    `import { runCli } from ${JSON.stringify(join(root, 'src/cli/main.ts'))}
const io = { cwd: ${JSON.stringify(folder)}, env: {}, isTty: false, out() {}, err() {}, onSignal: () => () => {}, onFault: () => () => {} }
process.exit(await runCli(${JSON.stringify(['import', '--strapi', archive, '--into', file])}, io))`,
  )
  const child = fork(script, { cwd: root, execArgv: ['--import', 'tsx'] })
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(1)
  expect(await storedIn(folder)).toEqual(['red_1a2b.png'])
  await pack([entity(1)], {})
  const again = await runCommand(['import', '--strapi', archive, '--into', file], { cwd: folder })
  expect(again.code, again.err).toBe(0)
  const cms = await createCms(file, { env: {} })
  await cms.close()
  expect(await storedIn(folder)).toEqual([])
})

test('what a process that lives has begun is left alone', async () => {
  const base = await newFolder()
  const removed: string[] = []
  const files = {
    isShown: async () => false,
    remove: async (key: string) => void removed.push(key),
    failed: (error: unknown) => expect.unreachable(String(error)),
  }
  const pending = createPendingFiles(base, 'a')
  await pending.begin('mine.txt')
  const neighbour = `${OWN_FOLDER.split('-')[0]}-${process.ppid}`
  for (const [folder, text] of [
    [neighbour, { key: 'of-one-that-lives.txt', database: 'a' }],
    ['0123456789ab-1', { key: 'of-another-machine.txt', database: 'a' }],
    ['somebodys', { key: 'somebodys.txt', database: 'a' }],
  ] as const) {
    const path = join(base, 'pending', folder, 'a.json')
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, JSON.stringify(text))
  }
  await pending.sweep(Date.now(), files)
  expect(removed).toEqual([])
  await pending.sweep(Date.now() + 2 * 24 * 60 * 60 * 1000, files)
  expect(removed.sort()).toEqual(['of-another-machine.txt', 'of-one-that-lives.txt'])
  expect(getAbandonedBefore('somebodys', Date.now())).toBeUndefined()
  await pending.end(['mine.txt'])
  expect(await readdir(join(base, 'pending', OWN_FOLDER))).toEqual([])
})
