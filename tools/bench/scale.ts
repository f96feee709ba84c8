// The same questions over 1,000 and over 100,000 entries: what has an index must not notice.

import { fileURLToPath } from 'node:url'
import { type Cms, createCms } from '../../src/index.ts'

const SIZES = [1000, 100_000] as const
const ROUNDS = 400

const QUESTIONS: readonly { readonly name: string; target(id: number): string }[] = [
  { name: 'findOne', target: (id) => `/api/things/${id}` },
  { name: 'list by id', target: (id) => `/api/things?filters[id][$gt]=${id}&pagination[withCount]=false` },
  { name: 'filtered by an indexed attribute', target: (id) => `/api/things?filters[code]=code-${id}` },
  { name: 'newest first', target: () => '/api/things?sort=createdAt:desc&pagination[withCount]=false' },
  { name: 'with a relation', target: (id) => `/api/things/${id}?populate=group` },
]

export async function scale(): Promise<void> {
  const times: number[][] = []
  for (const size of SIZES) {
    const cms = await filled(size)
    times.push(await measure(cms, size))
    await cms.close()
  }
  console.log(`\n${SIZES[0]} and ${SIZES[1]} entries, microseconds a request in-process:`)
  for (const [index, { name }] of QUESTIONS.entries()) {
    const [few = 0, many = 0] = times.map((row) => row[index] ?? 0)
    console.log(
      `${name.padEnd(36)}${few.toFixed(0).padStart(6)}${many.toFixed(0).padStart(6)}   ${(many / few).toFixed(2)} times`,
    )
  }
}

async function filled(size: number): Promise<Cms> {
  const cms = await createCms({
    contentTypes: {
      thing: {
        attributes: {
          code: { type: 'string', unique: true },
          note: 'text',
          group: {
            type: 'relation',
            relation: 'manyToOne',
            target: 'api::group.group',
            inversedBy: 'things',
          },
        },
      },
      group: {
        attributes: {
          name: 'string',
          things: { type: 'relation', relation: 'oneToMany', target: 'api::thing.thing', mappedBy: 'group' },
        },
      },
    },
    auth: { roles: { public: { permissions: ['thing.find', 'thing.findOne', 'group.find'] } } },
  })
  for (let id = 1; id <= 50; id++) await cms.entries('group').create({ name: `group ${id}` })
  const things = cms.entries('thing')
  for (let id = 1; id <= size; id++) {
    await things.create({ code: `code-${id}`, note: `Thing number ${id}.`, group: (id % 50) + 1 })
  }
  return cms
}

/** The median of rounds, after as many that are not counted. */
async function measure(cms: Cms, size: number): Promise<number[]> {
  const medians: number[] = []
  for (const { target } of QUESTIONS) {
    const times: number[] = []
    for (let round = 0; round < 2 * ROUNDS; round++) {
      const id = ((round * 7919) % (size - 100)) + 1
      const started = performance.now()
      const response = await cms.fetch(target(id))
      await response.arrayBuffer()
      if (response.status !== 200) throw new Error(`${target(id)}: ${response.status}`)
      if (round >= ROUNDS) times.push(1000 * (performance.now() - started))
    }
    times.sort((a, b) => a - b)
    medians.push(times[Math.floor(times.length / 2)] ?? Number.NaN)
  }
  return medians
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await scale()
