// What reads cost with `dialect: strapi-5` beside `strapi-4`: the same content and the same questions, asked in turns in one
// process, by the processor's time. Nothing is kept, so that each answer is read and encoded. By hand:
// npx tsx tools/bench/dialects.ts [memory|sqlite|postgres] [entries]

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Cms, createCms } from '../../src/index.ts'
import { deriveDocumentId } from '../../src/lib/document-id.ts'
import { openTestSchema, postgresHere } from '../../test/support/postgres.ts'

const [client = 'memory', size = '1000'] = process.argv.slice(2)
const ENTRIES = Number(size)
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 1000)
const WARM_ROUNDS = 60

const relation = (kind: string, target: string, more = {}) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...more,
})

const ids = Array.from({ length: ENTRIES }, (_, index) => index + 1)
const config = (drafts: boolean) => ({
  rest: { cache: 0 },
  contentTypes: {
    author: {
      attributes: { name: 'string', articles: relation('oneToMany', 'article', { mappedBy: 'author' }) },
    },
    tag: { attributes: { name: 'string' } },
    article: {
      options: { draftAndPublish: drafts },
      attributes: {
        title: 'string',
        body: 'text',
        views: 'integer',
        author: relation('manyToOne', 'author', { inversedBy: 'articles' }),
        tags: relation('manyToMany', 'tag'),
      },
    },
  },
  auth: { roles: { public: { permissions: ['api::*'] } } },
  data: {
    tag: [1, 2, 3, 4, 5].map((id) => ({ id, name: `tag ${id}` })),
    author: ids.slice(0, ENTRIES / 10).map((id) => ({ id, name: `author ${id}` })),
    article: ids.map((id) => ({
      id,
      title: `article ${id}`,
      body: 'some text '.repeat(20),
      views: id % 100,
      author: Math.ceil(id / 10),
      tags: [(id % 5) + 1, ((id + 1) % 5) + 1],
    })),
  },
})

const last = Math.floor(ENTRIES / 2)
const id = (documents: boolean): string | number =>
  documents ? deriveDocumentId('api::article.article', last) : last

const QUESTIONS: readonly (readonly [name: string, path: (documents: boolean) => string])[] = [
  ['one', (documents) => `articles/${id(documents)}`],
  ['one, populated', (documents) => `articles/${id(documents)}?populate=*`],
  ['list of 25', () => 'articles'],
  ['list of 25, populated', () => 'articles?populate[author]=*&populate[tags]=*'],
  ['filtered and sorted', () => 'articles?filters[views][$gt]=50&sort=title:desc&pagination[pageSize]=10'],
  ['filtered through a relation', () => 'articles?filters[author][name]=author 7&fields[0]=title'],
  ['from the other side', () => 'authors?populate=articles&pagination[pageSize]=10'],
]

async function ask(cms: Cms, path: string): Promise<string> {
  const response = await cms.fetch(`/api/${path}`)
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`)
  return text
}

/** So few that a round of both dialects is over before the machine does something else. */
const BATCH = 10

/** Microseconds for one answer: of this process's processors, of the clock where another process reads. */
async function measured(cms: Cms, path: string): Promise<number> {
  const before = process.cpuUsage()
  const began = performance.now()
  for (let count = 0; count < BATCH; count++) await ask(cms, path)
  if (client === 'postgres') return ((performance.now() - began) * 1000) / BATCH
  const { user, system } = process.cpuUsage(before)
  return (user + system) / BATCH
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}

/** `+12 %` */
function more(ratio: number): string {
  const percent = ((ratio - 1) * 100).toFixed(0)
  return `${ratio < 1 ? '' : '+'}${percent} %`
}

const drops: (() => Promise<unknown>)[] = []

/** Where the content of one dialect is. */
async function databaseOf(name: string): Promise<object> {
  if (client === 'sqlite') return { database: { client, filename: join(folder, `${name}.db`) } }
  const server = client === 'postgres' ? await postgresHere() : undefined
  if (server === undefined) return {}
  const { connection, schema, drop } = await openTestSchema(server)
  drops.push(drop)
  return { database: { client: 'postgres', connection, schema } }
}

const folder = mkdtempSync(join(tmpdir(), 'cms-bench-dialects-'))
try {
  for (const drafts of [false, true]) {
    const open = async (dialect: string): Promise<Cms> => {
      const database = await databaseOf(`${dialect}-${drafts}`)
      return createCms({ dialect, ...config(drafts), ...database } as never, { env: {} })
    }
    const four = await open('strapi-4')
    const five = await open('strapi-5')
    console.log(
      `${client}, ${ENTRIES} articles, ${drafts ? 'with' : 'without'} drafts: µs for strapi-4, strapi-5`,
    )
    const rows = QUESTIONS.map(([name, path]) => ({
      name,
      four: { path: path(false), times: [] as number[] },
      five: { path: path(true), times: [] as number[] },
    }))
    // Every question, so that none is measured before the code that all of them share is compiled for all of them.
    for (let round = -WARM_ROUNDS; round < ROUNDS / BATCH; round++) {
      for (const row of rows) {
        // Whoever is first changes with each round.
        const turns = round % 2 === 0 ? (['four', 'five'] as const) : (['five', 'four'] as const)
        for (const turn of turns) {
          const { path, times } = row[turn]
          const time = await measured(turn === 'four' ? four : five, path)
          if (round >= 0) times.push(time)
        }
      }
    }
    for (const row of rows) {
      const [one, other] = [median(row.four.times), median(row.five.times)]
      // Of each round, in which both had the same machine.
      const ratio = median(row.five.times.map((time, round) => time / (row.four.times[round] ?? time)))
      const size = (await ask(five, row.five.path)).length / (await ask(four, row.four.path)).length
      console.log(
        `  ${row.name.padEnd(28)} ${one.toFixed(0).padStart(6)} ${other.toFixed(0).padStart(6)}   ${more(ratio)}, answer ${more(size)} long`,
      )
    }
    await four.close()
    await five.close()
  }
} finally {
  for (const drop of drops) await drop()
  rmSync(folder, { recursive: true, force: true })
}
