// GraphQL of the built server beside a hand-written mercurius with loaders, and beside our own REST, in one run.

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { benchConfig } from './article-model.ts'
import { drive } from './drive.ts'
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

export async function graphql(seconds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'cms-run-bench-'))
  const file = join(folder, 'cms.yaml')
  writeFileSync(file, benchConfig({ plugins: { graphql: true } }))
  const ours = await startProcess([join(here, '../dist/cli.js'), file, '--port', '0', '--no-watch'])
  const hand = await startProcess(['--import', 'tsx', join(here, 'mercurius-by-hand.ts')])
  const post = async (url: string, sent: string) =>
    drive({ url, path: '/graphql', method: 'POST', body: sent, seconds })
  // The first seconds compile; they are not counted.
  for (const [url, sent] of [
    [ours.url, body(LIST_OF_OURS)],
    [hand.url, body(LIST_BY_HAND)],
    [ours.url, body(ONE_OF_OURS, true)],
    [hand.url, body(ONE_BY_HAND, true)],
  ] as const) {
    await drive({ url, path: '/graphql', method: 'POST', body: sent, seconds: 1 })
  }
  console.log('\nGraphQL, beside mercurius (jit, loaders) by hand')
  const figures = {
    'list of 25, two relations': [
      await post(hand.url, body(LIST_BY_HAND)),
      await post(ours.url, body(LIST_OF_OURS)),
    ],
    'one entry, every request another id': [
      await post(hand.url, body(ONE_BY_HAND, true)),
      await post(ours.url, body(ONE_OF_OURS, true)),
    ],
  } as const
  for (const [name, [theirs, mine]] of Object.entries(figures)) {
    const ratio = (mine.perSecond / theirs.perSecond).toFixed(2)
    console.log(
      `${name.padEnd(40)}${mine.perSecond.toFixed(0).padStart(8)}/s  mercurius ${theirs.perSecond.toFixed(0)}/s  ${ratio}x  failed ${mine.failed}`,
    )
  }
  const rest = await drive({ url: ours.url, path: encodeURI(LIST_OVER_REST), seconds })
  const [, list] = figures['list of 25, two relations']
  console.log(
    `${'the same list over REST'.padEnd(40)}${rest.perSecond.toFixed(0).padStart(8)}/s  ${(rest.perSecond / list.perSecond).toFixed(2)}x GraphQL  failed ${rest.failed}`,
  )
  await ours.stop()
  await hand.stop()
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await graphql(Number(process.env['BENCH_SECONDS'] ?? 4))
