// `related` of a file, written by code: the media of the entries that it names.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'

const FILE = 'plugin::upload.file'
const DOG = 'api::dog.dog'
let cms: Cms

beforeAll(async () => {
  const config = {
    contentTypes: {
      dog: {
        attributes: { name: 'string', picture: { type: 'media' }, more: { type: 'media', multiple: true } },
      },
    },
    data: {
      dog: [
        { id: 1, name: 'Rex' },
        { id: 2, name: 'Nelson' },
      ],
    },
  }
  cms = await createCms(config as never, { env: {} })
})
afterAll(() => cms.close())

const related = (id: number, field: string) => ({ __type: DOG, id, __pivot: { field } })

test('the entries that are named show the file, and no others', async () => {
  const { id } = await cms.entries(FILE).create({
    ...{ name: 'a.txt', hash: 'a', ext: '.txt', mime: 'text/plain', size: 1, url: '/uploads/a.txt' },
    ...{ provider: 'local' },
  })
  const shown = async () =>
    (await cms.entries('dog').findMany({ populate: '*' })).map((dog) => {
      const { picture, more } = dog as unknown as { picture: { id: number } | null; more: unknown[] | null }
      return [picture?.id === id, more?.length ?? 0]
    })
  await cms.entries(FILE).update(id, { related: [related(1, 'picture'), related(2, 'more')] })
  expect(await shown()).toEqual([
    [true, 0],
    [false, 1],
  ])
  const changed = await cms.entries(FILE).update(id, { name: 'b.txt', related: [related(2, 'picture')] })
  expect(changed['name']).toBe('b.txt')
  expect(await shown()).toEqual([
    [false, 0],
    [true, 0],
  ])
  for (const wrong of [[1], [{ __type: DOG, id: 1 }], [related(1, 'name')]])
    await expect(cms.entries(FILE).update(id, { related: wrong })).rejects.toThrow('related lists entries')
  await expect(cms.entries(FILE).update(id, { related: [related(9, 'picture')] })).rejects.toThrow(
    'Not Found',
  )
  expect((await shown()).at(1)).toEqual([true, 0])
})
