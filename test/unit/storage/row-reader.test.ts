import { expect, test } from 'vitest'
import { loadSqlJs } from '../../../src/storage/drivers/memory/load-sql-js.ts'

const values = [
  null,
  0,
  -1,
  2 ** 31,
  -(2 ** 53) + 1,
  0.1,
  -1.5e300,
  '',
  'a',
  'Plain text, long enough for a decoder.',
  '\ufeffa byte order mark',
  'ä€😀\u2028"\\\n\u0001',
  '1',
]

test('reads what sql.js itself reads', async () => {
  const { api, readRow } = await loadSqlJs()
  const statement = new api.Database().prepare(
    `select ${values.map(() => '?').join(', ')}, x'00ff', cast(x'61ff62' as text), 9223372036854775807`,
  )
  statement.bind(values)
  statement.step()
  expect(readRow(statement)).toEqual(statement.get())
  // The same without a blob, for which sql.js is asked.
  const others = new api.Database().prepare(
    `select ${values.map(() => '?').join(', ')}, cast(x'61ff62' as text), 9223372036854775807`,
  )
  others.bind(values)
  others.step()
  const row = readRow(others)
  expect(row).toEqual(others.get())
  expect(row.slice(0, values.length)).toEqual(values)
})

test('reads texts itself, also after the memory has grown', async () => {
  const { api, readRow } = await loadSqlJs()
  const database = new api.Database()
  const statement = database.prepare("select ?, 'after'")
  statement.get = () => {
    throw new Error('asked sql.js')
  }
  for (const length of [10, 100_000, 30_000_000, 10]) {
    const text = 'é'.repeat(length)
    statement.bind([text])
    statement.step()
    const [found, after] = readRow(statement)
    expect(found === text).toBe(true)
    expect(after).toBe('after')
    statement.reset()
  }
})
