import { expect, test } from 'vitest'
import { StatementFailure } from '../../../src/databases/database.ts'
import { createLog } from '../../../src/log/create-log.ts'

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
