// A database file: durable creates a second beside one fsync for each, and the same questions over a thousand and
// over a million entries. By hand: npx tsx tools/bench/file.ts

import { closeSync, fdatasyncSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Cms, createCms } from '../../src/index.ts'
import { loadLibsql } from '../../src/storage/drivers/sqlite/open-file.ts'

const folder = mkdtempSync(join(process.env['BENCH_DIRECTORY'] ?? tmpdir(), 'cms-run-file-'))
const seconds = Number(process.env['BENCH_SECONDS'] ?? 4)
const libsql = await loadLibsql()

/** Rounds of all of them in turn, because the disk is everybody's. */
async function writing(): Promise<void> {
  const open = (durability: 'full' | 'normal'): Promise<Cms> =>
    createCms({
      database: { client: 'sqlite', filename: join(folder, `${durability}.db`), durability },
      contentTypes: { note: { attributes: { title: 'string', slug: { type: 'string', unique: true } } } },
      auth: { roles: { public: { permissions: ['note.create'] } } },
    })
  const full = await open('full')
  const normal = await open('normal')
  const rows: readonly { readonly name: string; run(): Promise<number> }[] = [
    { name: 'libsql alone, one insert and one fsync each (no server)', run: async () => oneByOne() },
    { name: 'fdatasync of 4 KB alone', run: async () => syncs() },
    { name: 'creates, durability full, 1 writer', run: () => creates(full, 1) },
    { name: 'creates, durability full, 50 writers', run: () => creates(full, 50) },
    { name: 'creates, durability normal, 50 writers', run: () => creates(normal, 50) },
  ]
  const figures = rows.map((): number[] => [])
  for (let round = 0; round < 3; round++) {
    for (const [index, { run }] of rows.entries()) figures[index]?.push(await run())
  }
  await full.close()
  await normal.close()
  console.log(`a second, in-process, median of 3 rounds of ${seconds} s in turn:`)
  for (const [index, { name }] of rows.entries()) {
    const [, middle = 0] = [...(figures[index] ?? [])].sort((a, b) => a - b)
    console.log(`${name.padEnd(60)}${middle.toFixed(0).padStart(8)}`)
  }
}

let written = 0

async function creates(cms: Cms, writers: number): Promise<number> {
  const end = performance.now() + seconds * 1000
  let done = 0
  const write = async (): Promise<void> => {
    while (performance.now() < end) {
      written += 1
      const body = JSON.stringify({ data: { title: `Note ${written}`, slug: `note-${written}` } })
      const headers = { 'content-type': 'application/json' }
      const response = await cms.fetch('/api/notes', { method: 'POST', headers, body })
      await response.arrayBuffer()
      if (response.status !== 200) throw new Error(`${response.status}`)
      done += 1
    }
  }
  await Promise.all(Array.from({ length: writers }, write))
  return done / seconds
}

function oneByOne(): number {
  const database = libsql.open(join(folder, 'bare.db'))
  database.prepare('pragma journal_mode = wal').all([])
  database.exec('pragma synchronous = full')
  database.exec(
    'create table if not exists notes (id integer primary key autoincrement, title text, slug text unique) strict',
  )
  const insert = database.prepare('insert into notes (title, slug) values (?, ?)')
  const end = performance.now() + seconds * 1000
  let done = 0
  for (; performance.now() < end; done++) {
    written += 1
    insert.run([`Note ${written}`, `note-${written}`])
  }
  database.close()
  return done / seconds
}

function syncs(): number {
  const descriptor = openSync(join(folder, 'bare.db-wal'), 'r+')
  const end = performance.now() + seconds * 1000
  let done = 0
  for (; performance.now() < end; done++) fdatasyncSync(descriptor)
  closeSync(descriptor)
  return done / seconds
}

interface Question {
  readonly name: string
  target(id: number): string
}

const QUESTIONS: readonly Question[] = [
  { name: 'findOne', target: (id) => `/api/things/${id}` },
  { name: 'findOne with a relation', target: (id) => `/api/things/${id}?populate=group` },
  { name: 'list filtered by a unique attribute', target: (id) => `/api/things?filters[code]=code-${id}` },
  { name: 'list filtered by a uid', target: (id) => `/api/things?filters[slug]=slug-${id}` },
  { name: 'list filtered by a list of ids', target: (id) => `/api/things?filters[id][$in]=${id},${id + 9}` },
  { name: 'list filtered by a relation', target: (id) => `/api/things?filters[group][id]=${group(id)}` },
  {
    name: 'list filtered by a unique attribute of a relation',
    target: (id) => `/api/things?filters[group][name]=group-${group(id)}`,
  },
  {
    name: 'page of the newest, no total',
    target: () => '/api/things?sort=createdAt:desc&pagination[withCount]=false',
  },
  { name: 'first page, no total', target: () => '/api/things?pagination[withCount]=false' },
  { name: 'first page with the total (reads an index through)', target: () => '/api/things' },
]

const group = (id: number): number => Math.ceil(id / 20)

async function scale(sizes: readonly [number, number]): Promise<void> {
  const services = [await filled(sizes[0]), await filled(sizes[1])] as const
  console.log(
    `\n${sizes[0]} and ${sizes[1]} entries in a file, microseconds a request in-process (medians, in turns):`,
  )
  for (const question of QUESTIONS) {
    const [few, many] = await measure(question, services, sizes)
    console.log(
      `${question.name.padEnd(52)}${few.toFixed(0).padStart(8)}${many.toFixed(0).padStart(8)}   ${(many / few).toFixed(2)} times`,
    )
  }
  for (const cms of services) await cms.close()
}

async function filled(size: number): Promise<Cms> {
  const filename = join(folder, `scale-${size}.db`)
  mkdirSync(folder, { recursive: true })
  const open = (): Promise<Cms> =>
    createCms({
      database: { client: 'sqlite', filename },
      contentTypes: {
        thing: {
          options: { draftAndPublish: true },
          attributes: {
            code: { type: 'string', unique: true },
            slug: { type: 'uid', targetField: 'code' },
            note: 'text',
            group: {
              type: 'relation',
              relation: 'manyToOne',
              target: 'api::group.group',
              inversedBy: 'things',
            },
          },
        },
        group: {
          attributes: {
            name: { type: 'string', unique: true },
            things: {
              type: 'relation',
              relation: 'oneToMany',
              target: 'api::thing.thing',
              mappedBy: 'group',
            },
          },
        },
      },
      auth: { roles: { public: { permissions: ['thing.find', 'thing.findOne', 'group.find'] } } },
    })
  await (await open()).close()
  const database = libsql.open(filename)
  const counted = (most: number): string =>
    `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${most})`
  const moment = '1700000000000 + i'
  database.exec(`begin;
${counted(group(size))} insert into groups (id, name, created_at, updated_at) select i, 'group-' || i, ${moment}, ${moment} from n;
${counted(size)} insert into things (id, code, slug, note, created_at, updated_at, published_at)
  select i, 'code-' || i, 'slug-' || i, 'Thing number ' || i || ' of many.', ${moment}, ${moment}, ${moment} from n;
${counted(size)} insert into things_group_links (source_id, target_id, source_order) select i, (i + 19) / 20, i % 20 from n;
commit`)
  database.close()
  return open()
}

const ROUNDS = 300

/** Medians of rounds, after as many that are not counted; fewer where one takes long. */
async function measure(
  { target }: Question,
  services: readonly [Cms, Cms],
  sizes: readonly [number, number],
): Promise<readonly [number, number]> {
  const times: readonly [number[], number[]] = [[], []]
  const started = performance.now()
  for (let round = 0; round < 2 * ROUNDS && performance.now() - started < 20_000; round++) {
    for (const which of [0, 1] as const) {
      const id = ((round * 7919) % (sizes[which] - 100)) + 1
      const asked = performance.now()
      const response = await services[which].fetch(target(id))
      await response.arrayBuffer()
      if (response.status !== 200) throw new Error(`${target(id)}: ${response.status}`)
      times[which].push(1000 * (performance.now() - asked))
    }
  }
  return [medianOfLater(times[0]), medianOfLater(times[1])]
}

function medianOfLater(times: readonly number[]): number {
  const counted = times.slice(times.length / 2).sort((a, b) => a - b)
  return counted[Math.floor(counted.length / 2)] ?? Number.NaN
}

await writing()
await scale([1000, Number(process.env['BENCH_ENTRIES'] ?? 1_000_000)])
rmSync(folder, { recursive: true, force: true })
