// `npx tsx test/security/questions/distinct.ts [questions]`: distinct anonymous questions over a socket, of which each is
// asked once. Ends with 1 where the process holds 100 MB more than before (or as many as the second argument says: what Node
// keeps of freed memory differs from run to run).

import { serve } from '../../durability/served.ts'
import { memoryOf, openHub } from './open-hub.ts'

const MB = 1024 * 1024
const MOST = Number(process.argv[3] ?? 100) * MB
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
// What the process takes for any load at all is taken before: Node keeps freed memory for a while.
for (let warm = 0; warm < 5000; warm++) await ask(`populate=*&pagination[pageSize]=${1 + (warm % 10)}`)
const before = memoryOf(pid)
let most = before
for (let index = 0; index < count; index++) {
  await ask(index % 2 === 0 ? restQuestion(index) : undefined, index)
  if (index % 200 === 0) most = Math.max(most, memoryOf(pid))
}
const after = memoryOf(pid)
served.child.kill('SIGTERM')
await served.gone
await site.drop()
console.log(`${count} distinct questions: ${mb(before)} before, ${mb(most)} at most, ${mb(after)} after`)
process.exit(after - before < MOST ? 0 : 1)

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
