import { createCms } from 'cms-run'
import { mostRead } from './most-read.js'

let cms
let start

beforeAll(async () => {
  cms = await createCms('cms.yaml', { env: {}, testing: true })
  start = cms.snapshot()
})
afterEach(() => cms.restore(start))
afterAll(() => cms.close())

test('the most read article', async () => {
  expect(await mostRead(cms.fetch)).toBe('Hello')
})

test('another one, when it is read more', async () => {
  const [world] = await cms.entries('article').findMany({ filters: { title: 'World' } })
  await cms.entries('article').update(world.id, { views: 100 })
  expect(await mostRead(cms.fetch)).toBe('World')
})

test('none', async () => {
  for (const { id } of await cms.entries('article').findMany()) await cms.entries('article').delete(id)
  expect(await mostRead(cms.fetch)).toBeUndefined()
})
