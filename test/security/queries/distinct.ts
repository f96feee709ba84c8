// `npx tsx test/security/queries/distinct.ts [questions]`: distinct anonymous questions over a socket, of which each is
// asked once. Ends with 1 where the memory of the process grew by 50 MB (or the second argument) from the second quarter of the
// questions to the last. The least of each quarter is compared: the process swings by 100 MB between two collections of garbage.

import { serve } from '../../durability/served.ts'
import { memoryOf, openHub } from './open-hub.ts'

const MB = 1024 * 1024
const MAX_GROWTH_BYTES = Number(process.argv[3] ?? 50) * MB
const SAMPLE_EVERY = 100
const count = Number(process.argv[2] ?? '20000')
const members = [
  ['category', 'tags', 'author', 'links', 'sections'],
  [
    'author.friends',
    'author.friends.friends',
    'links.to',
    'links.to.author',
    'links.to.tags',
    'links.to.category',
  ],
].flat()
const fields = ['title', 'body', 'rating', 'createdAt', 'updatedAt', 'publishedAt']

const site = await openHub('memory')
const served = await serve(site.file)
const pid = served.child.pid ?? 0
const samples: number[] = []
for (let index = 0; index < count; index++) {
  await ask(index % 2 === 0 ? restQuestion(index) : undefined, index)
  if (index % SAMPLE_EVERY === 0) samples.push(memoryOf(pid))
}
served.child.kill('SIGTERM')
await served.gone
await site.drop()
const quarter = Math.floor(samples.length / 4)
const early = Math.min(...samples.slice(quarter, 2 * quarter))
const late = Math.min(...samples.slice(-quarter))
const most = Math.max(...samples)
console.log(
  `${count} distinct questions: ${mb(early)} in the second quarter, ${mb(late)} in the last, ${mb(most)} at most`,
)
process.exit(late - early < MAX_GROWTH_BYTES ? 0 : 1)

/** A subset of members and fields, as the bits of the number say. */
function restQuestion(index: number): string {
  const populate = members.filter((_, bit) => (index >> bit) & 1)
  const shown = ['id', ...fields.filter((_, bit) => (index >> (bit + 3)) & 1)]
  return `populate=${populate.join(',')}&${shown.map((name) => `fields[]=${name}`).join('&')}&filters[id][$lt]=3&filters[title][$ne]=n${index}`
}

async function ask(query: string | undefined, index = 0): Promise<void> {
  const answer =
    query === undefined
      ? await fetch(`${served.url}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ query: document(index) }),
        })
      : await fetch(`${served.url}/api/articles?${query}`)
  const text = await answer.text()
  if (!answer.ok || text.includes('"errors"'))
    throw new Error(`${answer.status} ${query ?? document(index)} ${text.slice(0, 300)}`)
}

function document(index: number): string {
  const shown = fields.filter((_, bit) => (index >> bit) & 1)
  const relation = (depth: number): string =>
    depth === 0
      ? ''
      : `author { data { id attributes { name friends(pagination: { limit: 2 }) { data { attributes { name } } } } } }`
  return `{ a${index}: articles(filters: { id: { lt: 3 } }) { data { id attributes { title ${shown.join(' ')} ${relation(index % 3)} tags { data { attributes { t${index}: name } } } } } } }`
}

function mb(bytes: number): string {
  return `${Math.round(bytes / MB)} MB`
}
