// Each bad/<name>.yaml must be refused with exactly the report in bad/<name>.txt. `UPDATE=1` writes the reports: read
// them before you commit them.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkFile } from './check-file.ts'

const folder = join(import.meta.dirname, 'bad')
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => name.slice(0, -'.yaml'.length))

test('every expected report belongs to a file', () => {
  const reports = readdirSync(folder).filter((name) => name.endsWith('.txt'))
  expect(reports.filter((name) => !names.includes(name.slice(0, -'.txt'.length)))).toEqual([])
})

test.each(names)('%s', async (name) => {
  const { checked, report } = await checkFile(join(folder, `${name}.yaml`))
  const expected = join(folder, `${name}.txt`)
  if (process.env['UPDATE'] === '1') writeFileSync(expected, report)
  expect(checked.diagnostics.length).toBeGreaterThan(0)
  expect(existsSync(expected), `${name}.txt is missing`).toBe(true)
  expect(report).toBe(readFileSync(expected, 'utf8'))
})
