// Fifty writers at once for a while: each creates entries, changes an attribute of its own of one shared entry, and
// connects what it made to it. No update may be lost, nothing may be refused, nothing may be our fault.
// By hand: npx tsx test/durability/writers.ts postgres 60

import { pathToFileURL } from 'node:url'
import { type LastingClient, openSite, send, serve } from './served.ts'

const WRITERS = 50
const attributes = Array.from({ length: WRITERS }, (_, writer) => `      own${writer}: integer`).join('\n')
const YAML = `
rest: { maxLimit: null }
contentTypes:
  rack:
    attributes:
${attributes}
      items: { type: relation, relation: oneToMany, target: api::item.item, mappedBy: rack }
  item:
    attributes:
      name: { type: string, unique: true }
      rack: { type: relation, relation: manyToOne, target: api::rack.rack, inversedBy: items }
auth: { roles: { public: { permissions: ['rack.*', 'item.*'] } } }
data: { rack: [{ id: 1 }] }
`

export interface WritersReport {
  readonly seconds: number
  readonly writes: number
  readonly creates: number
  /** Answers other than 200, by status. */
  readonly refused: Readonly<Record<string, number>>
  readonly lost: readonly string[]
}

export async function writeTogether(client: LastingClient, seconds: number): Promise<WritersReport> {
  const site = await openSite(client, YAML)
  try {
    const { url, child, gone } = await serve(site.file)
    const end = performance.now() + seconds * 1000
    const refused: Record<string, number> = {}
    const connected = new Set<number>()
    const last = new Map<string, number>()
    let writes = 0
    const sent = async (path: string, method: string, data: object): Promise<unknown> => {
      const { status, body } = await send(`${url}${path}`, method, data)
      writes += 1
      if (status === 200) return body
      refused[status] = (refused[status] ?? 0) + 1
      return undefined
    }
    const write = async (writer: number): Promise<void> => {
      for (let number = 1; performance.now() < end; number++) {
        const made = await sent('/api/items', 'POST', { name: `${writer}.${number}` })
        const own = `own${writer}`
        if ((await sent('/api/racks/1?fields=id', 'PUT', { [own]: number })) !== undefined)
          last.set(own, number)
        const id = (made as { data: { id: number } } | undefined)?.data.id
        if (id === undefined || number % 5 !== 0) continue
        const items = { connect: [id] }
        if ((await sent('/api/racks/1?fields=id', 'PUT', { items })) !== undefined) connected.add(id)
      }
    }
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
    const { body } = await send(`${url}/api/racks/1?populate=items`, 'GET')
    const rack = (body as { data: { attributes: Record<string, unknown> } }).data.attributes
    const there = new Set((rack['items'] as { data: { id: number }[] }).data.map(({ id }) => id))
    const lost = [
      ...[...last].filter(([own, number]) => rack[own] !== number).map(([own]) => own),
      ...[...connected].filter((id) => !there.has(id)).map((id) => `item ${id}`),
    ]
    const counted = await send(`${url}/api/items?pagination[limit]=1&fields=id`, 'GET')
    const { total } = (counted.body as { meta: { pagination: { total: number } } }).meta.pagination
    child.kill('SIGTERM')
    await gone
    return { seconds, writes, creates: total, refused, lost }
  } finally {
    await site.drop()
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [, , client = 'postgres', seconds = '60'] = process.argv
  await writeTogether(client as LastingClient, Number(seconds)).then((report) =>
    process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`),
  )
}
