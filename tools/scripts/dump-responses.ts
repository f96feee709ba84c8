// `npx tsx tools/scripts/dump-responses.ts <file> [random requests]`: what the sources answer to all recorded requests of both corpora,
// and to requests at random over one model, as text without what differs from run to run. Two checkouts answer alike if their
// files are equal: run it in both, and compare.

import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import fc from 'fast-check'
import { createCms } from '../../src/index.ts'
import type { Answer } from '../../test/conformance/compare.ts'
import type { Corpus } from '../../test/conformance/corpus.ts'
import type { RecordedCms } from '../../test/conformance/recorded-cms.ts'
import { runArea } from '../../test/conformance/run-area.ts'
import type { RawRequest, Send } from '../../test/conformance/send.ts'
import { strapi4 } from '../../test/conformance/strapi-4.ts'
import { strapi5 } from '../../test/conformance5/strapi-5.ts'
import { hubConfig } from '../../test/security/queries/hub.ts'
import { randomRequest } from '../../test/security/queries/random-question.ts'

const SEED = 42
/** Longer bodies are written as their hash. */
const MAX_BODY = 4000
/** Made anew by each run, or counted from its start. */
const VARYING_HEADERS: ReadonlySet<string> = new Set([
  'content-length',
  'last-modified',
  'set-cookie',
  'x-ratelimit-reset',
  'x-request-id',
])

const [file, random = '2000'] = process.argv.slice(2)
if (file === undefined) throw new Error('usage: dump-responses.ts <file> [random requests]')
const answers: string[] = []
/** Documents are numbered in the order in which they appear. */
let documents = new Map<string, string>()

for (const [name, corpus] of [
  ['strapi-4', strapi4],
  ['strapi-5', strapi5],
] as const)
  for (const area of Object.keys(corpus.areas)) await dumpArea(`${name} ${area}`, corpus, area)
await dumpRandom(Number(random))
writeFileSync(file, answers.join('\n'))
console.log(`${answers.length} answers`)

async function dumpArea(label: string, corpus: Corpus, area: string): Promise<void> {
  documents = new Map()
  const opened = new Map<string | undefined, RecordedCms>()
  await runArea(corpus, area, async (variant) => {
    const recordedCms = opened.get(variant) ?? (await corpus.open(variant))
    opened.set(variant, recordedCms)
    return { recordedCms, send: sendAndDump(label, recordedCms) }
  })
  for (const recordedCms of opened.values()) await recordedCms.close()
}

function sendAndDump(label: string, { cms }: RecordedCms): Send {
  return async ({ method, target, headers, bytes }: RawRequest): Promise<Answer | undefined> => {
    // Requests that `fetch` refuses or rewrites.
    if (method === 'TRACE' || target.includes('/../') || (method === 'GET' && bytes !== undefined))
      return undefined
    const body = bytes === undefined ? {} : { body: new Uint8Array(bytes) }
    const response = await cms.fetch(target, { method, headers, redirect: 'manual', ...body })
    const sent = bytes === undefined ? '' : Buffer.from(bytes).toString('utf8').slice(0, 300)
    const answered = await dump(`${label} ${method} ${target} ${sent}`, response)
    const contentType = response.headers.get('content-type') ?? undefined
    const text = answered.toString('utf8')
    const parsed: unknown = contentType?.includes('json') === true && text !== '' ? JSON.parse(text) : text
    return { status: response.status, contentType, body: text === '' ? null : parsed }
  }
}

async function dumpRandom(count: number): Promise<void> {
  documents = new Map()
  // Prices follow statistics, which are read again when time passes.
  performance.now = () => 0
  const cms = await createCms(hubConfig(10_000))
  for (const { path, init } of fc.sample(randomRequest, { numRuns: count, seed: SEED }))
    await dump(`random ${init.method} ${path} ${init.body ?? ''}`.slice(0, 1000), await cms.fetch(path, init))
  await cms.close()
}

async function dump(label: string, response: Response): Promise<Buffer> {
  const bytes = Buffer.from(await response.arrayBuffer())
  const text = bytes.toString('latin1')
  const shown = masked(text)
  const headers = [...response.headers]
    // The tag of a file is made of its time, that of a body of what is masked in it.
    .filter(([name, value]) => name !== 'etag' || (shown === text && !/-1[a-f0-9]{10}"$/.test(value)))
    .filter(([name]) => !VARYING_HEADERS.has(name))
    .map(([name, value]) => `${name}: ${masked(value)}`)
  const body = shown.length > MAX_BODY ? createHash('sha256').update(shown).digest('hex') : shown
  answers.push(`${masked(label)}\n${response.status}\n${headers.sort().join('\n')}\n${body}\n`)
  return bytes
}

function masked(text: string): string {
  return text
    .replaceAll(/"refreshToken":"[^"]+"/g, '"refreshToken":"…"')
    .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>')
    .replaceAll(/202[6-9]-\d\d-\d\dT[\d:.]+Z/g, '<now>')
    .replaceAll(process.cwd(), '<root>')
    .replaceAll(/cms-recorded-\w+/g, '<folder>')
    .replaceAll(/\.ts:\d+:\d+/g, '.ts')
    .replaceAll(/\b[a-z][a-z0-9]{23,24}\b/g, numbered)
    .replaceAll(/_[0-9a-f]{10}\b/g, '_<hash>')
    .replaceAll(/"(cursor|next)":"[^"]+"/g, '"$1":"…"')
    .replaceAll(/\b[0-9a-f]{32,80}\b/g, '<hex>')
}

function numbered(id: string): string {
  const known = documents.get(id) ?? `<document ${documents.size}>`
  documents.set(id, known)
  return known
}
