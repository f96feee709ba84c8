// A million entries against a thousand on PostgreSQL: one entry, a list filtered by a unique attribute, by a range of
// createdAt, and by a relation. The rows are made by SQL. npx tsx bench/million.ts [entries]

import { createCms } from '../src/index.ts'
import { ask, openTestSchema, postgresHere } from '../test/support/postgres.ts'

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
const ROUNDS = 400

/** Milliseconds at the median, by question. */
async function measure(entries: number): Promise<ReadonlyMap<string, number>> {
  const here = await postgresHere()
  if (here === undefined) throw new Error('no PostgreSQL answers')
  const { connection, schema, drop } = await openTestSchema(here)
  const database = { client: 'postgres', connection, schema } as const
  const cms = await createCms(config, { database })
  try {
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
    ).catch(async (error) => {
      const tables = await ask(
        here,
        `select table_name || ': ' || string_agg(column_name, ', ') from information_schema.columns where table_schema = '${schema}' group by table_name`,
      )
      throw new Error(`${error}\n${tables.join('\n')}`)
    })
    const one = (): number => 1 + Math.floor(Math.random() * entries)
    const day = (): string => new Date(Date.UTC(2024, 0, 1) + one() * 60_000).toISOString()
    const questions: Record<string, () => string> = {
      'one entry by id': () => `/api/articles/${one()}`,
      'one entry by id, author populated': () => `/api/articles/${one()}?populate=author`,
      'a list filtered by a unique attribute': () => `/api/articles?filters[slug]=slug-${one()}`,
      'a list of ten minutes of createdAt': () => {
        const from = day()
        const to = new Date(Date.parse(from) + 600_000).toISOString()
        return `/api/articles?filters[createdAt][$gte]=${from}&filters[createdAt][$lt]=${to}`
      },
      "a list filtered by a relation's unique attribute": () =>
        `/api/articles?filters[author][name]=author%20${1 + Math.floor(Math.random() * authors)}`,
      'the first page of all, counted': () => '/api/articles',
      'the first page of all, not counted': () => '/api/articles?pagination[withCount]=false',
    }
    const medians = new Map<string, number>()
    for (const [name, path] of Object.entries(questions)) {
      const times: number[] = []
      const rounds = name.includes(', counted') ? 20 : ROUNDS
      for (let round = 0; round < rounds + 20; round++) {
        const started = performance.now()
        const response = await cms.fetch(path())
        const text = await response.text()
        if (round >= 20) times.push(performance.now() - started)
        if (response.status !== 200) throw new Error(`${name}: ${response.status} ${text}`)
      }
      times.sort((a, b) => a - b)
      medians.set(name, times[Math.floor(times.length / 2)] ?? 0)
    }
    return medians
  } finally {
    await cms.close()
    await drop()
  }
}

async function main(): Promise<void> {
  const many = Number(process.argv[2] ?? 1_000_000)
  const few = await measure(1000)
  const million = await measure(many)
  for (const [name, time] of million) {
    const before = few.get(name) ?? 0
    process.stdout.write(
      `${name.padEnd(50)} ${before.toFixed(2)} ms -> ${time.toFixed(2)} ms  x${(time / before).toFixed(2)}\n`,
    )
  }
}

void main()
