// What docs/reference/data.md shows: the entries of its example, and a rename that keeps what was stored.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createCms } from '../../src/index.ts'
import { inFile } from '../archive/in-file.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/reference/data.md'), 'utf8')
const examples = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, example = '']) => example)

test('the entries of the example', async () => {
  vi.setSystemTime('2030-06-01T12:00:00Z')
  const cms = await createCms(inFile(examples.find((text) => text.includes('today+7d')) ?? ''), { env: {} })
  const populate = { host: { populate: 'user' }, tags: '*', body: '*' }
  const events = await cms.entries('event').findMany({ locale: 'all', populate, publicationState: 'preview' })
  expect(events).toMatchObject([
    {
      title: 'Shanty night',
      startsAt: '2030-06-08T20:00:00.000Z',
      doors: '19:00:00.000',
      publishedAt: '2030-06-01T12:00:00.000Z',
      host: { name: 'Ann', user: { username: 'ann' } },
      tags: [{ label: 'music' }],
      body: [{ __component: 'page.quote', text: 'They held.' }],
    },
    { title: 'Knots for beginners', host: { name: 'Bob' }, tags: [{ label: 'music' }], publishedAt: null },
    { title: 'Nuit de chants', startsAt: '2030-06-08T20:00:00.000Z', host: { name: 'Ann' } },
  ])
  await cms.close()
  vi.useRealTimers()
})

test('renamedFrom as the page has it', async () => {
  const example = examples.find((text) => text.startsWith('contentTypes:')) ?? ''
  expect(example).toContain('renamedFrom: article')
  const file = inFile(
    'contentTypes: { article: { attributes: { title: string } } }\ndata: { article: [{ title: kept }] }\n',
  )
  const cms = await createCms(file, { env: {} })
  writeFileSync(file, example)
  await cms.reload()
  expect(await cms.entries('post').findMany()).toMatchObject([{ headline: 'kept' }])
  await cms.close()
})
