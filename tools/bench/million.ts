// A million entries against a thousand on PostgreSQL: one entry, a list filtered by a unique attribute, by a range of
// createdAt, and by a relation. The rows are made by SQL. npx tsx tools/bench/million.ts [entries]

import { createCms } from '../../src/index.ts'
import { ask, openTestSchema, postgresHere } from '../../test/support/postgres.ts'

const config = {
  rest: { withCount: true },
  contentTypes: {
    article: {
      options: { draftAndPublish: true },
      attributes: {
        title: 'string',
        slug: { type: 'string', unique: true },
        views: 'integer',
        author: {
          type: 'relation',
          relation: 'manyToOne',
          target: 'api::author.author',
          inversedBy: 'articles',
        },
      },
    },
    author: {
      attributes: {
        name: { type: 'string', unique: true },
        articles: {
          type: 'relation',
          relation: 'oneToMany',
          target: 'api::article.article',
          mappedBy: 'author',
        },
      },
    },
  },
  auth: { roles: { public: { permissions: ['article.*', 'author.*'] } } },
}
const ROUNDS = 300
const WARM = 30

interface Site {
  readonly entries: number
  /** Milliseconds for the question of this name. */
  ask(question: string): Promise<number>
  close(): Promise<void>
}

async function openSite(entries: number): Promise<Site> {
  const here = await postgresHere()
  if (here === undefined) throw new Error('no PostgreSQL answers')
  const { connection, schema, drop } = await openTestSchema(here)
  const cms = await createCms(config, { database: { client: 'postgres', connection, schema } })
  const authors = Math.max(1, entries / 20)
  await ask(
    here,
    `set search_path to "${schema}";
     insert into authors (name, created_at, updated_at) select 'author ' || n, now(), now() from generate_series(1, ${authors}) n;
     insert into articles (title, slug, views, created_at, updated_at, published_at)
       select 'Article ' || n, 'slug-' || n, n % 1000, timestamptz '2024-01-01' + n * interval '1 minute', now(), now() from generate_series(1, ${entries}) n;
     insert into articles_author_links (source_id, target_id, source_order)
       select n, 1 + n % ${authors}, n from generate_series(1, ${entries}) n;
     analyze`,
  )
  const one = (): number => 1 + Math.floor(Math.random() * entries)
  return {
    entries,
    async ask(question) {
      const path = questions[question]?.(one(), 1 + (one() % authors)) ?? ''
      const started = performance.now()
      const response = await cms.fetch(path)
      const text = await response.text()
      if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`)
      return performance.now() - started
    },
    async close() {
      await cms.close()
      await drop()
    },
  }
}

const moment = (minute: number): string => new Date(Date.UTC(2024, 0, 1) + minute * 60_000).toISOString()

const questions: Readonly<Record<string, (one: number, author: number) => string>> = {
  'one entry by id': (one) => `/api/articles/${one}`,
  'one entry by id, author populated': (one) => `/api/articles/${one}?populate=author`,
  'a list filtered by a unique attribute': (one) => `/api/articles?filters[slug]=slug-${one}`,
  'a list of ten minutes of createdAt': (one) =>
    `/api/articles?filters[createdAt][$gte]=${moment(one)}&filters[createdAt][$lt]=${moment(one + 10)}`,
  "a list filtered by a relation's unique attribute": (_one, author) =>
    `/api/articles?filters[author][name]=author%20${author}`,
  'the first page of all, not counted': () => '/api/articles?pagination[withCount]=false',
  'the first page of all, counted': () => '/api/articles',
}

function median(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
}

async function main(): Promise<void> {
  const few = await openSite(1000)
  const many = await openSite(Number(process.argv[2] ?? 1_000_000))
  try {
    for (const question of Object.keys(questions)) {
      const [before, after]: [number[], number[]] = [[], []]
      // In turns, so that both meet the same machine.
      for (let round = -WARM; round < ROUNDS; round++) {
        const times = [await few.ask(question), await many.ask(question)] as const
        if (round < 0) continue
        before.push(times[0])
        after.push(times[1])
      }
      const [small, large] = [median(before), median(after)]
      process.stdout.write(
        `${question.padEnd(50)} ${small.toFixed(2)} ms -> ${large.toFixed(2)} ms  x${(large / small).toFixed(2)}\n`,
      )
    }
  } finally {
    await few.close()
    await many.close()
  }
}

void main()
