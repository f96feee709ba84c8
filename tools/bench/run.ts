// `npm run bench`: the built server beside a raw one and two written by hand, in turns of one run. `BENCH_ROUNDS` rounds
// (7) of `BENCH_SECONDS` (1) for each question and server; `BENCH_ONLY=create` asks only the questions with that in their name.

import { mkdtempSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { benchConfig } from './article-model.ts'
import { coldStart } from './cold-start.ts'
import { type Asked, client, drive, type Figures } from './drive.ts'
import { reloadUnderLoad } from './reload.ts'
import { scale } from './scale.ts'
import { pinned, startProcess } from './start-process.ts'

const here = dirname(fileURLToPath(import.meta.url))
const seconds = Number(process.env['BENCH_SECONDS'] ?? 1)
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 7)
const only = process.env['BENCH_ONLY'] ?? ''
const file = join(mkdtempSync(join(tmpdir(), 'cms-run-bench-')), 'cms.yaml')
writeFileSync(file, benchConfig({ plugins: { graphql: true } }))

const servers = {
  ours: await startProcess([join(here, '../../dist/cli.js'), file, '--port', '0', '--no-watch']),
  byHand: await startProcess(['--import', 'tsx', join(here, 'hand-written.ts')]),
  mercurius: await startProcess(['--import', 'tsx', join(here, 'mercurius-by-hand.ts')]),
}
type Server = keyof typeof servers

/** One question, as each server is asked it. */
interface Row extends Partial<Readonly<Record<Server, readonly Asked[]>>> {
  readonly name: string
  readonly ours: readonly Asked[]
}

const graphql = (query: string, variables: string): Asked => ({
  path: '/graphql',
  body: `{"query":${JSON.stringify(query.replaceAll(/\s+/g, ' '))},"variables":${variables}}`,
})

const EVERYTHING = 'id title slug summary views rating featured section day createdAt updatedAt'
const NAMED = '{ id name createdAt updatedAt }'
const onMercurius = {
  one: (fields: string) =>
    graphql(`query ($id: ID!) { article(id: $id) { ${fields} } }`, '{"id":"{id}","unique":{n}}'),
  list: (fields: string) =>
    graphql(
      `query ($start: Int) { articles(start: $start) { ${fields} } }`,
      '{"start":{start},"unique":{n}}',
    ),
  filtered: graphql(
    `query ($views: Int) { articles(viewsOver: $views) { data { ${EVERYTHING} } total } }`,
    '{"views":{views},"unique":{n}}',
  ),
  create: graphql(
    `mutation ($slug: String) { createArticle(title: "New article", slug: $slug, views: 1) { ${EVERYTHING} } }`,
    '{"slug":"new-{n}"}',
  ),
}

const SOME = 'title slug summary views'
const LIST_OF_OURS = `query ($start: Int) { articles(pagination: { start: $start, limit: 25 }) { data { id attributes { ${SOME}
  author { data { id attributes { name } } } tags { data { id attributes { name } } } } } } }`
const POPULATE = 'populate=author,tags'
const create: Asked = {
  path: '/api/articles',
  body: '{"data":{"title":"New article","slug":"new-{n}","views":1}}',
}
/** Nineteen reads (four findOne, one list, and again) and a write. */
const mixed = (one: Asked, list: Asked, write: Asked): readonly Asked[] =>
  Array.from({ length: 20 }, (_, index) => (index === 19 ? write : index % 5 === 4 ? list : one))

function bothByHand(name: string, path: string, mercurius: Asked): Row {
  return { name, ours: [{ path }], byHand: [{ path }], mercurius: [mercurius] }
}

const rows: readonly Row[] = [
  await besideRaw('health', { path: '/_health' }),
  await besideRaw('findOne, repeated', { path: '/api/articles/17' }),
  await besideRaw('list of 25, repeated', { path: '/api/articles' }),
  await besideRaw('list of 25, two relations, repeated', { path: `/api/articles?${POPULATE}` }),
  await besideRaw('GraphQL list, repeated', graphql(LIST_OF_OURS, '{"start":0}')),
  bothByHand('findOne', '/api/articles/{id}?{again}', onMercurius.one(EVERYTHING)),
  bothByHand(
    'list of 25',
    '/api/articles?pagination[start]={start}{again}',
    onMercurius.list(`data { ${EVERYTHING} } total`),
  ),
  bothByHand(
    'list of 25, two relations',
    `/api/articles?${POPULATE}&pagination[start]={start}{again}`,
    onMercurius.list(`data { ${EVERYTHING} author ${NAMED} tags ${NAMED} } total`),
  ),
  bothByHand(
    'list of 25, filtered and sorted',
    '/api/articles?filters[views][$gt]={views}&sort=views:desc{again}',
    onMercurius.filtered,
  ),
  {
    name: 'GraphQL one',
    ours: [
      graphql(
        `query ($id: ID) { article(id: $id) { data { id attributes { ${SOME} } } } }`,
        '{"id":"{id}","unique":{n}}',
      ),
    ],
    mercurius: [onMercurius.one(`id ${SOME}`)],
  },
  {
    name: 'GraphQL list, two relations',
    ours: [graphql(LIST_OF_OURS, '{"start":{start},"unique":{n}}')],
    mercurius: [onMercurius.list(`data { id ${SOME} author { id name } tags { id name } }`)],
  },
  { name: 'create', ours: [create], mercurius: [onMercurius.create] },
  {
    name: 'mixed, 5 % writes',
    ours: mixed({ path: '/api/articles/{id}' }, { path: '/api/articles' }, create),
    mercurius: mixed(
      onMercurius.one(EVERYTHING),
      onMercurius.list(`data { ${EVERYTHING} } total`),
      onMercurius.create,
    ),
  },
].filter(({ name }) => name.includes(only))

/** The raw server answers with the bytes that it was given, and looks at nothing. */
async function besideRaw(name: string, asked: Asked): Promise<Row> {
  const { path, body = null } = asked
  const init = {
    method: body === null ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  }
  const answer = await (await fetch(servers.ours.url + path, init)).text()
  const raw = `/raw/${encodeURIComponent(name)}`
  await fetch(servers.byHand.url + raw, { method: 'PUT', body: answer })
  return { name, ours: [asked], byHand: [{ ...asked, path: raw }] }
}

for (const path of ['/api/articles/17', '/api/articles', `/api/articles?${POPULATE}&pagination[start]=7`]) {
  const [one, two] = await Promise.all(
    [servers.ours, servers.byHand].map(async ({ url }) => (await fetch(url + path)).text()),
  )
  if (one !== two) throw new Error(`${path}: two servers answer other bytes\n${one}\n${two}`)
}

console.log(
  `node ${process.version}, ${cpus()[0]?.model}, client ${client}, ${pinned ? 'pinned' : 'not pinned'}; medians (quartiles) of ${rounds} rounds in turns,
by requests for each second of the servers' processor time; beside uWebSockets + sql.js (or raw bytes), and mercurius + SQLite\n`,
)
for (const row of rows) {
  const seen = new Map<Server, Figures[]>()
  // The first round compiles; it is not counted.
  for (let round = 0; round <= rounds; round++) {
    for (const server of Object.keys(servers) as Server[]) {
      const asked = row[server]
      if (asked === undefined) continue
      const figures = await drive(servers[server], asked, seconds)
      if (figures.failed > 0) throw new Error(`${row.name}, ${server}: ${figures.failed} requests failed`)
      if (round > 0) seen.set(server, [...(seen.get(server) ?? []), figures])
    }
  }
  const ours = seen.get('ours') ?? []
  const beside = (['byHand', 'mercurius'] as const).map((server) => {
    const ratios = seen.get(server)?.map((other, round) => rateOf(ours[round]) / rateOf(other))
    const [low, middle, high] = quartiles(ratios ?? [])
    return (ratios === undefined ? '' : `${middle}x (${low} to ${high})`).padEnd(26)
  })
  const rate = quartiles(ours.map(({ perSecond }) => perSecond))[1]
  const p99 = quartiles(ours.map((figures) => figures.p99))[1]
  console.log(`${row.name.padEnd(38)}${beside.join('')}${Number(rate).toFixed(0)}/s, p99 ${p99} ms`)
}
for (const server of Object.values(servers)) await server.stop()

if (only === '') {
  await coldStart()
  await reloadUnderLoad()
  await scale()
}

function rateOf(figures: Figures | undefined): number {
  if (figures === undefined) return Number.NaN
  return Number.isNaN(figures.perProcessorSecond) ? figures.perSecond : figures.perProcessorSecond
}

function quartiles(values: readonly number[]): readonly string[] {
  const sorted = [...values].sort((a, b) => a - b)
  return [0.25, 0.5, 0.75].map((part) => (sorted[Math.floor(part * sorted.length)] ?? Number.NaN).toFixed(2))
}
