import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { createCms } from 'cms-run'
import { mostRead } from './most-read.js'

let cms
let start

before(async () => {
  cms = await createCms('cms.yaml', { env: {}, testing: true })
  start = cms.snapshot()
})
afterEach(() => cms.restore(start))
after(() => cms.close())

test('the most read article', async () => {
  assert.equal(await mostRead(cms.fetch), 'Hello')
})

test('another one, when it is read more', async () => {
  const [world] = await cms.entries('article').findMany({ filters: { title: 'World' } })
  await cms.entries('article').update(world.id, { views: 100 })
  assert.equal(await mostRead(cms.fetch), 'World')
})

test('none', async () => {
  for (const { id } of await cms.entries('article').findMany()) await cms.entries('article').delete(id)
  assert.equal(await mostRead(cms.fetch), undefined)
})
