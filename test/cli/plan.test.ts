import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from '../support/run-command.ts'

const cwd = mkdtempSync(join(tmpdir(), 'cms-run-plan-'))
const file = join(cwd, 'cms.yaml')
const config = `plugins: { upload: false, users-permissions: false }
contentTypes: { note: { attributes: { title: string } } }
`

test('a database in memory begins empty, so every start would make every table', async () => {
  writeFileSync(file, config)
  expect(await runCommand(['plan', file], { cwd })).toEqual({
    code: 0,
    out: '  + table notes\nmemory (in memory: every start begins empty): 1 to add, 0 to change, 0 to take away; no stored value is lost\n',
    err: '',
  })
  const { code, out } = await runCommand(['plan', file, '--exit-code', '--json'], { cwd })
  expect(code).toBe(3)
  expect(JSON.parse(out)).toEqual({
    outcome: 'changes',
    client: 'memory',
    changes: [
      { mark: '+', kind: 'create-table', table: 'notes', text: 'table notes', rows: 0, destructive: false },
    ],
    foreignTables: [],
    diagnostics: [],
  })
})

test('colours where they are wanted', async () => {
  writeFileSync(file, config)
  const { out } = await runCommand(['plan', file], { cwd, env: { NO_COLOR: '', FORCE_COLOR: '1' } })
  expect(out).toContain('\x1b[32m  + table notes\x1b[0m')
})

test('a configuration that is wrong is reported instead', async () => {
  writeFileSync(file, config.replace('string', 'strin'))
  expect(await runCommand(['plan', file], { cwd })).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('did you mean "string"?'),
  })
})
