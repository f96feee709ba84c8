// Lines of requests as JSON, collected: the same as pino's, in order with other lines, none lost.

import { expect, test, vi } from 'vitest'
import { createLog } from '../../../src/log/create-log.ts'
import type { RequestLine } from '../../../src/log/request-line.ts'

const line: RequestLine = {
  method: 'GET',
  path: '/api/articles/"1"',
  query: undefined,
  route: '/api/articles/:id',
  status: 200,
  bytes: 12,
  ms: 0.4,
  role: 'public',
  requestId: 'mine',
}

function open(collects: boolean, level = 'info') {
  const written: string[] = []
  const write = (text: string): void => void written.push(text)
  const log = createLog({ level, format: 'json', colors: false, worker: 7, collects, write })
  return { log, written }
}

test('a line is what pino writes', () => {
  const lines = [true, false].map((collects) => {
    const { log, written } = open(collects)
    log.request(line)
    log.info('end')
    const text = written.join('').split('\n')[0] ?? ''
    return { keys: Object.keys(JSON.parse(text)), values: { ...JSON.parse(text), time: 0 } }
  })
  expect(lines[0]).toEqual(lines[1])
  expect(lines[0]?.values).toMatchObject({ level: 30, worker: 7, message: 'request', bytes: 12 })
})

test('lines wait for each other, and come before one that follows them', async () => {
  const { log, written } = open(true)
  log.request(line)
  log.request(line)
  expect(written).toEqual([])
  log.warn('after')
  expect(written).toHaveLength(2)
  expect(written[0]?.match(/"message":"request"/g)).toHaveLength(2)
  log.request(line)
  await vi.waitFor(() => expect(written).toHaveLength(3))
  for (let at = 0; at < 1000; at++) log.request(line)
  log.info('end')
  expect(written.join('').match(/"message":"request"/g)).toHaveLength(1003)
})

test('none at a level that does not show them', () => {
  const { log, written } = open(true, 'warn')
  log.request(line)
  log.warn('end')
  expect(written.join('')).not.toContain('request')
})

test('each line says what it was given, also where one waited before', () => {
  const { log, written } = open(true)
  const paths = Array.from({ length: 700 }, (_, at) => `/${at}`)
  for (const path of paths) log.request(path.endsWith('7') ? { ...line, path, user: 7 } : { ...line, path })
  log.flush()
  const lines = written
    .join('')
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text))
  expect(lines.map((one) => one.path)).toEqual(paths)
  expect(lines.filter(({ user }) => user === 7)).toHaveLength(70)
})
