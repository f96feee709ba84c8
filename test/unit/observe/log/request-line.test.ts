import { expect, test } from 'vitest'
import { paintWith } from '../../../../src/observe/log/paint.ts'
import { formatRequest, type RequestLine } from '../../../../src/observe/log/request-line.ts'

const line: RequestLine = {
  method: 'GET',
  path: '/api/articles',
  query: undefined,
  status: 200,
  ms: 3.14,
  requestId: 'x',
}
const noon = new Date(2030, 0, 31, 12, 0, 0)

test.each<[Partial<RequestLine>, string]>([
  [{}, 'GET /api/articles 200 3.1 ms'],
  [{ role: 'public' }, 'GET /api/articles 200 3.1 ms public'],
  [{ query: 'sort=title' }, 'GET /api/articles?sort=title 200 3.1 ms'],
  [{ role: 'editor', user: 7, status: 403 }, 'GET /api/articles 403 3.1 ms editor 7'],
  [{ token: 'front-end', statements: 2 }, 'GET /api/articles 200 3.1 ms token front-end 2 SQL'],
  [{ statements: 0 }, 'GET /api/articles 200 3.1 ms 0 SQL'],
  [{ status: undefined }, 'GET /api/articles left 3.1 ms'],
  // Nothing from outside moves the cursor, begins a line or turns the direction of text.
  [
    { path: '/a\u001b[2J\n\u009bm\u202e', token: 'a\nb' },
    'GET /a\\u001b[2J\\u000a\\u009bm\\u202e 200 3.1 ms token a\\u000ab',
  ],
])('%o', (given, expected) => {
  expect(formatRequest({ ...line, ...given }, noon, paintWith(false))).toBe(`12:00:00 ${expected}\n`)
})

test.each([
  [200, 32],
  [304, 32],
  [404, 33],
  [503, 31],
])('%d in colour %d', (status, color) => {
  const painted = formatRequest({ ...line, status }, noon, paintWith(true))
  expect(painted).toContain(`\u001b[${color}m${status}\u001b[0m`)
})
