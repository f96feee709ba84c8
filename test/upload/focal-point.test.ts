// The focal point of an image: taken with `dialect: strapi-5`, checked, and ignored where files have none.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Library, openLibrary, type Part, png, post } from './open-library.ts'

const info = (focalPoint: unknown, more = {}): Part => ({
  name: 'fileInfo',
  value: JSON.stringify({ focalPoint, ...more }),
})

describe('strapi-5', () => {
  let library: Library
  let id: number
  beforeAll(async () => {
    library = await openLibrary({}, { dialect: 'strapi-5' })
    const { body } = await post(library.cms, '/api/upload', png())
    id = (body as unknown as { id: number }[])[0]?.id ?? 0
  })
  afterAll(() => library.close())

  const read = async (): Promise<unknown> =>
    ((await (await library.cms.fetch(`/api/upload/files/${id}`)).json()) as Record<string, unknown>)[
      'focalPoint'
    ]

  test.each([[{ x: 0, y: 0 }], [{ x: 100, y: 100 }], [{ y: 33.3, x: 12.5 }], [null]])('%j', async (point) => {
    const sent = await post(library.cms, '/api/upload', png('b.png'), info(point))
    expect(sent).toMatchObject({ status: 201, body: [{ name: 'b.png', focalPoint: point }] })
    const other = point === null ? { x: 1, y: 2 } : null
    const changed = await post(library.cms, `/api/upload?id=${id}`, info(other, { caption: 'c' }))
    expect(changed).toMatchObject({ status: 200, body: { focalPoint: other, caption: 'c' } })
    const response = await library.cms.fetch(`/api/upload?id=${id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ fileInfo: { focalPoint: point } }),
    })
    expect(response.status).toBe(200)
    expect(await read()).toEqual(point)
    // Without one, and with other contents, it stays.
    await post(library.cms, `/api/upload?id=${id}`, { name: 'fileInfo', value: '{"caption":"d"}' })
    await post(library.cms, `/api/upload?id=${id}`, png())
    expect(await read()).toEqual(point)
    await post(library.cms, `/api/upload?id=${id}`, png(), info(other))
    expect(await read()).toEqual(other)
  })

  test.each([
    [{ x: -0.1, y: 0 }],
    [{ x: 0, y: 100.1 }],
    [{ x: '1', y: 2 }],
    [{ x: 1, y: null }],
    [{ x: 1 }],
    [{}],
    [{ x: 1, y: 2, z: 3 }],
    [[1, 2]],
    ['50,50'],
    [50],
    [false],
  ])('%j is refused', async (point) => {
    const stored = await library.stored()
    for (const path of ['/api/upload', `/api/upload?id=${id}`]) {
      const { status, body } = await post(library.cms, path, png(), info(point))
      expect([path, status, body]).toMatchObject([
        path,
        400,
        {
          error: {
            name: 'ValidationError',
            details: {
              errors: [
                {
                  path: ['fileInfo', 'focalPoint'],
                  message:
                    'fileInfo.focalPoint must be null or have x and y from 0 to 100 and nothing else, such as {"x":50,"y":50}',
                  name: 'ValidationError',
                },
              ],
            },
          },
        },
      ])
    }
    expect(await library.stored()).toEqual(stored)
  })

  test('a number beyond all others is refused', async () => {
    const value = '{"focalPoint":{"x":1e999,"y":0}}'
    expect(await post(library.cms, '/api/upload', png(), { name: 'fileInfo', value })).toMatchObject({
      status: 400,
    })
  })
})

test('strapi-4 ignores it', async () => {
  const library = await openLibrary()
  for (const path of ['/api/upload', '/api/upload?id=1']) {
    const { status, body } = await post(library.cms, path, png(), info('anything'))
    expect([status, JSON.stringify(body)]).toEqual([200, expect.not.stringContaining('focalPoint')])
  }
  await library.close()
})
