// Searching in a thousand and in a million entries of a database file: $contains, _q, filters and sorts by declared
// indexes, and totals. By hand: npx tsx tools/bench/search.ts [entries]

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Cms, createCms } from '../../src/index.ts'
import { loadLibsql } from '../../src/storage/drivers/sqlite/open-file.ts'

const folder = mkdtempSync(join(process.env['BENCH_DIRECTORY'] ?? tmpdir(), 'cms-run-search-'))
const sizes = [1000, Number(process.argv[2] ?? 1_000_000)] as const
const libsql = await loadLibsql()

const article = (index: readonly unknown[]) => ({
  contentTypes: {
    article: {
      index,
      attributes: { title: 'string', body: 'text', price: 'integer', grade: 'integer' },
    },
  },
  // Else repeated questions would be answered without a read.
  rest: { cache: 0 },
  auth: { roles: { public: { permissions: ['article.find', 'article.create'] } } },
})

const QUESTIONS: readonly (readonly [name: string, query: string])[] = [
  ['$contains of 3 letters that 1 in 10,000 has', 'filters[title][$contains]=qzx'],
  ['the same, no total', 'filters[title][$contains]=qzx&pagination[withCount]=false'],
  ['_q of 3 letters that 1 in 10,000 has', '_q=qzx'],
  ['$contains of 8 letters', 'filters[body][$containsi]=NUMBER%2077'],
  [
    '$contains of 3 letters that all have, no total',
    'filters[body][$contains]=umb&pagination[withCount]=false',
  ],
  ['filter and sort by declared indexes', 'filters[grade]=500&sort=price&pagination[withCount]=false'],
  ['page of the cheapest, no total', 'sort=price&pagination[withCount]=false'],
  ['first page with the total', ''],
]

async function filled(size: number): Promise<Cms> {
  const filename = join(folder, `${size}.db`)
  const open = (index: readonly unknown[]): Promise<Cms> =>
    createCms({ database: { client: 'sqlite', filename }, ...article(index) }, { env: {} })
  await (await open(['price', ['grade', 'price']])).close()
  const database = libsql.open(filename)
  database.exec(
    `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${size})
insert into articles (id, title, body, price, grade, created_at, updated_at)
select i, case when i % 10000 = 7 then 'A qzx title ' else 'A plain title ' end || i, 'Thing number ' || i || ' of ' || hex(randomblob(60)), abs(random() % 100000), i % (${size} / 20), 1700000000000 + i, 1700000000000 + i from n`,
  )
  database.close()
  const started = performance.now()
  const cms = await open(['price', ['grade', 'price'], { text: ['title', 'body'] }])
  console.log(
    `${size} entries: the indexes of texts were made in ${((performance.now() - started) / 1000).toFixed(1)} s`,
  )
  return cms
}

const services = [await filled(sizes[0]), await filled(sizes[1])] as const
console.log(
  `${sizes[0]} and ${sizes[1]} entries in a file, microseconds a request in-process (medians, in turns):`,
)
for (const [name, query] of QUESTIONS) {
  const times: readonly [number[], number[]] = [[], []]
  const started = performance.now()
  for (let round = 0; round < 200 && (round < 6 || performance.now() - started < 10_000); round++) {
    for (const which of [0, 1] as const) {
      const asked = performance.now()
      const response = await services[which].fetch(`/api/articles?${query}`)
      await response.arrayBuffer()
      if (response.status !== 200) throw new Error(`${query}: ${response.status}`)
      times[which].push(1000 * (performance.now() - asked))
    }
  }
  const [few, many] = times.map(medianOfLater) as [number, number]
  console.log(
    `${name.padEnd(52)}${few.toFixed(0).padStart(8)}${many.toFixed(0).padStart(9)}   ${(many / few).toFixed(2)} times`,
  )
}
for (const cms of services) await cms.close()
rmSync(folder, { recursive: true, force: true })

function medianOfLater(times: readonly number[]): number {
  const counted = times.slice(times.length / 2).sort((a, b) => a - b)
  return counted[Math.floor(counted.length / 2)] ?? Number.NaN
}
