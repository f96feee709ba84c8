// `npm run walks`: the way of six requests through the code. A copy of src/ notes each function that is entered; for each
// request it prints the calls, the files entered, how often the walk changes rooms, and the depth of the stack at the first SQL.

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Node, parse } from 'acorn'
import { transformSync } from 'esbuild'
import type { Cms } from '../../src/app/cms.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')

/** Rooms that every other room uses: a call into them is no change of room. */
const EVERYWHERE: ReadonlySet<string> = new Set(['lib', 'model'])
/** Its functions run statements. */
const ENGINE = 'storage/drivers/memory/sql-js-engine.ts'
/** Milliseconds for work that follows an answer. */
const REST_MS = 50

export interface Walk {
  readonly name: string
  readonly calls: number
  readonly files: number
  readonly roomChanges: number
  /** Frames of our own at the first statement; 0: the request ran none. */
  readonly depth: number
  /** Each room that was entered, in order. */
  readonly rooms: readonly string[]
  /** How often each file was entered. */
  readonly entered: ReadonlyMap<string, number>
}

const MODEL = `
contentTypes:
  article:
    attributes:
      title: string!
      body: text
      rating: integer
      author: author
  author:
    attributes:
      name: string!
plugins: { graphql: true }
auth:
  roles:
    public: { permissions: [article.*, author.*] }
data:
  author: [{ $ref: ann, name: Ann }, { name: Bob }]
  article: [{ title: t1, author: $ann }, { title: t2 }, { title: t3 }]
`

/** Measures the six walks on a copy of the sources below `folder`. */
export async function measureWalks(folder: string): Promise<readonly Walk[]> {
  const names = instrument(folder)
  const recorder = createRecorder(names)
  const { createCms } = (await import(pathToFileURL(join(folder, 'src/index.ts')).href)) as {
    createCms(source: string, options: object): Promise<Cms>
  }
  const file = join(folder, 'cms.yaml')
  writeFileSync(file, MODEL)
  const cms = await createCms(file, { env: {} })
  const list = '/api/articles?filters[title][$contains]=t1&populate=author'
  const query =
    '{ articles(filters: { title: { contains: "t" } }) { data { id attributes { title author { data { attributes { name } } } } } } }'
  const json = (body: unknown) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const asked = (path: string, init?: object) => async () => {
    const answer = await cms.fetch(path, init)
    const text = await answer.text()
    if (!answer.ok || text.includes('"errors"')) throw new Error(`${path}: ${answer.status} ${text}`)
  }
  const walks: Walk[] = []
  const walk = async (name: string, task: () => Promise<unknown>): Promise<void> => {
    await wait(REST_MS)
    walks.push({ name, ...(await recorder.record(task)) })
  }
  try {
    await walk('first GET', asked(list))
    await walk('the same again', asked(list))
    await walk('cached', asked(list))
    await walk('POST', asked('/api/articles', json({ data: { title: 't4', author: 1 } })))
    // The schema is built at the first query (decision 0010).
    await asked('/graphql', json({ query: '{ __typename }' }))()
    await walk('GraphQL list', asked('/graphql', json({ query })))
    writeFileSync(file, MODEL.replace('rating: integer', 'rating: integer\n      subtitle: string'))
    await walk('an edit', () => cms.reload())
  } finally {
    await cms.close()
  }
  return walks
}

/** Copies the sources and adds a call to the start of each function; returns the file of each number. */
function instrument(folder: string): readonly string[] {
  for (const name of ['src', 'schemas', 'package.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const names: string[] = []
  const src = join(folder, 'src')
  for (const found of readdirSync(src, { recursive: true, encoding: 'utf8' })) {
    const name = found.replaceAll('\\', '/')
    if (!name.endsWith('.ts') || name.endsWith('.d.ts') || name.includes('generated/')) continue
    const path = join(src, name)
    writeFileSync(path, withCalls(readFileSync(path, 'utf8'), names.push(name) - 1))
  }
  return names
}

function withCalls(source: string, number: number): string {
  const call = `globalThis.__walk?.(${number})`
  const { code } = transformSync(source, { loader: 'ts', target: 'es2022' })
  const insertions: (readonly [number, string])[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const element of value) visit(element)
    if (!isNode(value)) return
    if (/Function/.test(value.type))
      insertions.push(...callsWithin((value as unknown as { body: Node }).body, call))
    for (const child of Object.values(value)) visit(child)
  }
  visit(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }))
  let result = code
  for (const [at, text] of insertions.sort(([one], [other]) => other - one))
    result = result.slice(0, at) + text + result.slice(at)
  return result
}

function callsWithin({ type, start, end }: Node, call: string): readonly (readonly [number, string])[] {
  if (type === 'BlockStatement') return [[start + 1, `${call};`]]
  return [
    [start, `(${call},`],
    [end, ')'],
  ]
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

interface Recorder {
  record(task: () => Promise<unknown>): Promise<Omit<Walk, 'name'>>
}

function createRecorder(names: readonly string[]): Recorder {
  const engine = names.indexOf(ENGINE)
  return {
    async record(task) {
      const order: number[] = []
      let depth = 0
      const scope = globalThis as { __walk?: ((file: number) => void) | undefined }
      scope.__walk = (file) => {
        order.push(file)
        if (file === engine && depth === 0) depth = ownFrames()
      }
      try {
        await task()
      } finally {
        scope.__walk = undefined
      }
      const entered = new Map<string, number>()
      const rooms: string[] = []
      for (const number of order) {
        const name = names[number] ?? ''
        entered.set(name, (entered.get(name) ?? 0) + 1)
        const room = roomOf(name)
        if (!EVERYWHERE.has(room) && rooms.at(-1) !== room) rooms.push(room)
      }
      return {
        calls: order.length,
        files: entered.size,
        roomChanges: rooms.length - 1,
        depth,
        rooms,
        entered,
      }
    },
  }
}

function ownFrames(): number {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = Number.POSITIVE_INFINITY
  const { stack = '' } = new Error('stack')
  Error.stackTraceLimit = stackTraceLimit
  return stack.split('\n').filter((line) => /[/\\]src[/\\].*\.ts/.test(line) && !line.includes('scripts'))
    .length
}

function roomOf(name: string): string {
  const [first = '', second = ''] = name.split('/')
  return first === 'plugins' && !second.endsWith('.ts') ? `${first}/${second}` : first
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = mkdtempSync(join(tmpdir(), 'cms-run-walks-'))
  try {
    const walks = await measureWalks(folder)
    if (process.argv[2] === '--json') console.log(JSON.stringify(walks))
    else printWalks(walks, process.argv[2])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** `shown`: the walk whose rooms and files are listed. */
function printWalks(walks: readonly Walk[], shown: string | undefined): void {
  console.log('| walk | calls | files | room changes | depth at the first SQL |\n|---|---|---|---|---|')
  for (const { name, calls, files, roomChanges, depth } of walks)
    console.log(`| ${name} | ${calls} | ${files} | ${roomChanges} | ${depth === 0 ? '' : depth} |`)
  const listed = walks.find(({ name }) => name === shown)
  if (listed !== undefined) {
    console.log(`\n${listed.rooms.join(' > ')}\n`)
    for (const [file, count] of [...listed.entered].sort()) console.log(String(count).padStart(6), file)
  }
}
