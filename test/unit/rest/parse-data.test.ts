// Multipart bodies of entries, sent as a browser sends them.

import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../../src/index.ts'

let cms: Cms

beforeAll(async () => {
  cms = await createCms(join(import.meta.dirname, '../../api/configs/magazine.yaml'), { env: {} })
})
afterAll(() => cms.close())

async function post(
  path: string,
  fields: Readonly<Record<string, string | Blob>>,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  const response = await cms.fetch(path, { method: 'POST', body: form })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const png = new Blob(['x'], { type: 'image/png' })
const note = new Blob(['x'], { type: 'text/plain' })

describe('a multipart body', () => {
  test('holds the entry as JSON in data', async () => {
    const { status, body } = await post('/api/writers?fields=name', { data: '{"name":"Zoë"}', other: 'x' })
    expect(status).toBe(200)
    expect(body['data']).toMatchObject({ attributes: { name: 'Zoë' } })
  })

  test.each([
    ['no data', '/api/writers', {}, 400, 'Missing "data" payload in the request body'],
    ['data that is no object', '/api/writers', { data: '5' }, 400, undefined],
    ['data that is no JSON', '/api/writers', { data: '{bad' }, 400, undefined],
    ['a file that is for nothing', '/api/writers', { data: '{}', photo: png }, 400, undefined],
    ['a file for text', '/api/writers', { data: '{"name":"A"}', 'files.name': note }, 200, undefined],
    [
      'a file that is not what it says',
      '/api/stories',
      { data: '{"title":"A"}', 'files.cover': png },
      400,
      'The file "blob" is refused: it is sent as image/png, and its content is not',
    ],
  ] as const)('with %s', async (_, path, fields, status, message) => {
    const answer = await post(path, fields)
    expect(answer.status).toBe(status)
    if (message !== undefined) expect(answer.body['error']).toMatchObject({ message })
  })

  test('that ends before its end is malformed', async () => {
    const response = await cms.fetch('/api/writers', {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: '--b\r\ncontent-disposition: form-data; name="data"\r\n\r\n{"name":"A"}',
    })
    expect(response.status).toBe(400)
  })
})
