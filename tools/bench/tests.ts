// `npx tsx tools/bench/tests.ts [rounds]`: the same 100 tests that write and read, against cms-run (`createCms`), against json-server
// and against handlers written by hand for msw, in turns, each in a process of vitest of its own. Needs `npm run build`, and
// the npm registry for the other two, which are installed into a temporary folder.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const rounds = Number(process.argv[2] ?? 7)
const RIVALS = { 'json-server': '0.17.4', msw: '2.15.0' } // msw 3 needs Node 22

/** What each subject gives the tests: requests, and how its answers are read; `reset` brings the three articles back. */
const SUBJECTS = {
  'cms-run': `
    const { createCms } = await import(${JSON.stringify(pathToFileURL(join(root, 'dist/index.js')).href)})
    const config = {
      contentTypes: { article: { attributes: { title: { type: 'string', required: true }, views: 'integer' } } },
      auth: { roles: { public: { permissions: ['article.*'] } } },
      data: { article: seed },
    }
    const cms = await createCms(config, { env: {}, testing: true })
    const start = cms.snapshot()
    return {
      ask: (path, init) => cms.fetch('/api/articles' + path, init),
      body: (data) => ({ data }),
      one: ({ data }) => ({ id: data.id, ...data.attributes }),
      titled: (title) => '?filters[title]=' + encodeURIComponent(title),
      list: ({ data }) => data.map(({ attributes }) => attributes.title),
      reset: () => cms.restore(start),
      close: () => cms.close(),
    }`,
  'json-server': `
    const { default: jsonServer } = await import('json-server')
    const router = jsonServer.router({ articles: structuredClone(seed) })
    const app = jsonServer.create().use(jsonServer.defaults({ logger: false })).use(router)
    const server = await new Promise((resolve) => { const it = app.listen(0, () => resolve(it)) })
    const url = 'http://127.0.0.1:' + server.address().port + '/articles'
    return {
      ask: (path, init) => fetch(url + path, init),
      body: (data) => data,
      one: (data) => data,
      titled: (title) => '?title=' + encodeURIComponent(title),
      list: (data) => data.map(({ title }) => title),
      reset: () => router.db.setState({ articles: structuredClone(seed) }),
      close: () => new Promise((resolve) => server.close(resolve)),
    }`,
  msw: `
    const { http, HttpResponse } = await import('msw')
    const { setupServer } = await import('msw/node')
    let articles = structuredClone(seed)
    const url = 'http://api.test/articles'
    const found = ({ params }) => articles.find(({ id }) => id === Number(params.id))
    const none = () => HttpResponse.json({ error: 'Not Found' }, { status: 404 })
    const server = setupServer(
      http.get(url, ({ request }) => {
        const title = new URL(request.url).searchParams.get('title')
        return HttpResponse.json(title === null ? articles : articles.filter((each) => each.title === title))
      }),
      http.get(url + '/:id', (question) => { const each = found(question); return each ? HttpResponse.json(each) : none() }),
      http.post(url, async ({ request }) => {
        const each = { id: articles.length + 1, ...(await request.json()) }
        articles.push(each)
        return HttpResponse.json(each)
      }),
      http.put(url + '/:id', async (question) => {
        const each = found(question)
        return each ? HttpResponse.json(Object.assign(each, await question.request.json())) : none()
      }),
      http.delete(url + '/:id', (question) => {
        const each = found(question)
        if (!each) return none()
        articles = articles.filter((other) => other !== each)
        return HttpResponse.json(each)
      }),
    )
    server.listen()
    return {
      ask: (path, init) => fetch(url + path, init),
      body: (data) => data,
      one: (data) => data,
      titled: (title) => '?title=' + encodeURIComponent(title),
      list: (data) => data.map(({ title }) => title),
      reset: () => { articles = structuredClone(seed) },
      close: () => server.close(),
    }`,
}

const testsOf = (subject: keyof typeof SUBJECTS): string => `
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
const began = performance.now()
const seed = [1, 2, 3].map((id) => ({ id, title: 'Article ' + id, views: id }))
const open = async () => {${SUBJECTS[subject]}
}
let api
const send = (method, path, data) => api.ask(path, {
  method, headers: { 'content-type': 'application/json' }, ...(data && { body: JSON.stringify(api.body(data)) }),
})
beforeAll(async () => { api = await open() })
afterEach(() => api.reset())
afterAll(async () => {
  await api.close()
  console.log('took ' + (performance.now() - began))
})
test.each(Array.from({ length: 100 }, (_, index) => index))('%i: writes and reads', async (number) => {
  const title = 'New ' + number
  const created = await send('POST', '', { title, views: number })
  expect(created.ok).toBe(true)
  const { id } = api.one(await created.json())
  expect(api.list(await (await api.ask(api.titled(title))).json())).toEqual([title])
  expect((await send('PUT', '/' + id, { title: title + '!', views: number })).ok).toBe(true)
  expect(api.one(await (await api.ask('/' + id)).json())).toMatchObject({ title: title + '!', views: number })
  expect((await send('DELETE', '/2')).ok).toBe(true)
  expect(api.list(await (await api.ask('')).json())).toEqual(['Article 1', 'Article 3', title + '!'])
})
`

const folder = mkdtempSync(join(tmpdir(), 'cms-run-bench-'))
writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', dependencies: RIVALS }))
execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'], { cwd: folder })
for (const name of ['vitest', 'vite']) {
  rmSync(join(folder, 'node_modules', name), { recursive: true, force: true })
  symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
}
const subjects = Object.keys(SUBJECTS) as (keyof typeof SUBJECTS)[]
for (const subject of subjects) writeFileSync(join(folder, `${subject}.test.js`), testsOf(subject))

/** Milliseconds: of the tests with what they import and open; of processor time of the whole process of vitest. */
function run(subject: string): { readonly tests: number; readonly processor: number } {
  const used = childTime()
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const out = execFileSync(process.execPath, [vitest, 'run', '--root', folder, `${subject}.test.js`], {
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  if (!/Tests {2}100 passed \(100\)/.test(out)) throw new Error(out.slice(0, 2000))
  return { tests: Number(/took ([\d.]+)/.exec(out)?.[1]), processor: childTime() - used }
}

/** Milliseconds of processor time of the children that have ended (proc(5), `cutime` and `cstime`). */
function childTime(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[13]) + Number(fields[14])) * 10
}

const seen = new Map(subjects.map((subject) => [subject, [] as ReturnType<typeof run>[]]))
for (let round = 0; round < rounds; round++)
  for (const subject of subjects) seen.get(subject)?.push(run(subject))
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

console.log(`100 tests of six requests each, medians of ${rounds} rounds in turns (ratio to cms-run):`)
for (const part of ['tests', 'processor'] as const) {
  const own = median((seen.get('cms-run') ?? []).map((each) => each[part]))
  console.log(part === 'tests' ? 'tests, with import and setup' : 'processor time with vitest')
  for (const subject of subjects) {
    const value = median((seen.get(subject) ?? []).map((each) => each[part]))
    console.log(`  ${subject.padEnd(12)}${value.toFixed(0).padStart(7)} ms  ${(value / own).toFixed(2)}x`)
  }
}
rmSync(folder, { recursive: true })
