// GraphQL of the built server beside a hand-written mercurius with loaders, and beside our own REST, in one run.

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { benchConfig } from './article-model.ts'
import { drive, type Load } from './drive.ts'
import { startProcess } from './start-process.ts'

const here = dirname(fileURLToPath(import.meta.url))

const ONE_OF_OURS =
  'query ($id: ID) { article(id: $id) { data { id attributes { title slug summary views } } } }'
const ONE_BY_HAND = 'query ($id: ID!) { article(id: $id) { id title slug summary views } }'
const LIST_OF_OURS = `{ articles(pagination: { limit: 25 }) { data { id attributes { title slug summary views
  author { data { id attributes { name } } } tags { data { id attributes { name } } } } } } }`
const LIST_BY_HAND =
  '{ articles(limit: 25) { id title slug summary views author { id name } tags { id name } } }'
const LIST_OVER_REST =
  '/api/articles?pagination[limit]=25&pagination[withCount]=false&fields[0]=title&fields[1]=slug&fields[2]=summary&fields[3]=views&populate[author][fields][0]=name&populate[tags][fields][0]=name'

/** The document and its variables as a body; `{id}` is another one with each request. */
function body(query: string, withId = false): string {
  return JSON.stringify({ query, ...(withId ? { variables: { id: '{id}' } } : {}) })
}

/** Requests per second of each load, the median of rounds in turns: a machine that slows down slows all of them. */
async function inTurns<K extends string>(
  loads: Readonly<Record<K, Load>>,
  rounds: number,
): Promise<Readonly<Record<K, number>>> {
  const seen = new Map<string, number[]>()
  let failed = 0
  for (let round = 0; round <= rounds; round++) {
    for (const [name, load] of Object.entries<Load>(loads)) {
      const figures = await drive(load)
      failed += figures.failed
      // The first round compiles; it is not counted.
      if (round > 0) seen.set(name, [...(seen.get(name) ?? []), figures.perSecond])
    }
  }
  if (failed > 0) throw new Error(`${failed} requests failed`)
  return Object.fromEntries([...seen].map(([name, all]) => [name, median(all)])) as Record<K, number>
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

export async function graphql(seconds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'cms-run-bench-'))
  const file = join(folder, 'cms.yaml')
  writeFileSync(file, benchConfig({ plugins: { graphql: true } }))
  const ours = await startProcess([join(here, '../dist/cli.js'), file, '--port', '0', '--no-watch'])
  const hand = await startProcess(['--import', 'tsx', join(here, 'mercurius-by-hand.ts')])
  const post = (url: string, sent: string): Load => ({
    url,
    path: '/graphql',
    method: 'POST',
    body: sent,
    seconds: seconds / 2,
  })
  const { list, listByHand, rest, one, oneByHand } = await inTurns(
    {
      list: post(ours.url, body(LIST_OF_OURS)),
      listByHand: post(hand.url, body(LIST_BY_HAND)),
      rest: { url: ours.url, path: encodeURI(LIST_OVER_REST), seconds: seconds / 2 },
      one: post(ours.url, body(ONE_OF_OURS, true)),
      oneByHand: post(hand.url, body(ONE_BY_HAND, true)),
    },
    5,
  )
  const row = (name: string, mine: number, what: string, other: number, ratio: number): void =>
    console.log(
      `${name.padEnd(40)}${mine.toFixed(0).padStart(8)}/s  ${what} ${other.toFixed(0)}/s  ${ratio.toFixed(2)}x`,
    )
  console.log('\nGraphQL, beside mercurius (jit, loaders) by hand; medians of 5 rounds in turns')
  row('list of 25, two relations', list, 'mercurius', listByHand, list / listByHand)
  row('one entry, every request another id', one, 'mercurius', oneByHand, one / oneByHand)
  row('the same list over REST', rest, 'GraphQL', list, rest / list)
  await ours.stop()
  await hand.stop()
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await graphql(Number(process.env['BENCH_SECONDS'] ?? 4))
