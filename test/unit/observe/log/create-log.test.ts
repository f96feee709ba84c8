import { execFileSync } from 'node:child_process'
import { constants, createReadStream, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { createLog } from '../../../../src/observe/log/create-log.ts'
import type { RequestLine } from '../../../../src/observe/log/request-line.ts'
import { StatementFailure } from '../../../../src/storage/database.ts'

const LONG = 'select 1 or '.repeat(10_000)

test.each(['json', 'pretty'] as const)(
  'texts of a %s line are cut, also those of errors and their causes',
  (format) => {
    const lines: string[] = []
    const log = createLog({ level: 'info', format, colors: false, write: (line) => void lines.push(line) })
    const cause = new StatementFailure('other', `near ${LONG}`, LONG)
    const both = new AggregateError([cause, new Error(LONG)], LONG)
    log.error({ error: new Error('it failed', { cause }), requestId: 'r1' }, 'a request failed')
    log.error({ error: both }, LONG)
    log.error({ error: LONG })
    log.warn({ statement: LONG, deep: { texts: Array.from({ length: 100 }, () => LONG) } }, 'slow')
    log.warn(LONG)
    log.info({ error: Object.assign(new Error('small'), { statement: 'select 1', code: 'X1' }) }, 'whole')
    expect(lines).toHaveLength(6)
    for (const line of lines) expect(line.length).toBeLessThan(100_000)
    expect(lines[0]).toContain('it failed')
    expect(lines[0]).toContain('r1')
    expect(lines[4]).toContain('select 1 or select 1')
    expect(lines[4]).toContain('(120000 characters)')
    if (format === 'json') {
      const error = { type: 'Error', message: 'small', statement: 'select 1', code: 'X1' }
      expect(JSON.parse(lines[5] ?? '')).toMatchObject({ message: 'whole', error })
    }
  },
)

test('lines that nobody reads wait within bounds, and the log says how many are lost', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cms-run-log-'))
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  // For reading as well, or it would wait for a reader.
  const fd = openSync(pipe, constants.O_RDWR)
  const log = createLog({ level: 'info', format: 'json', colors: false, fd, write: () => {} })
  const sent = 20_000
  const query = 'q'.repeat(1000)
  for (let count = 0; count < sent; count++)
    log.request({ method: 'GET', path: `/${count}`, query, ms: 1, requestId: 'r' } as RequestLine)
  const reading = createReadStream(pipe)
  let read = 0
  let lost = 0
  for await (const line of createInterface({ input: reading })) {
    const { message } = JSON.parse(line) as { readonly message: string }
    if (message === 'request') read += 1
    else {
      lost = Number(/^(\d+) lines of the log are lost/.exec(message)?.[1])
      break
    }
  }
  reading.destroy()
  rmSync(folder, { recursive: true })
  expect(lost).toBeGreaterThan(sent / 2)
  expect(read + lost).toBe(sent)
})
