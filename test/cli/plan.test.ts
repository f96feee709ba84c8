import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'
import { newFolder } from '../archive/in-file.ts'
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
    ok: true,
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

test('a database file: before it is there, beside its server, and before values go', async () => {
  const folder = newFolder()
  const yaml = join(folder, 'cms.yaml')
  const write = (attributes: string, destructive = 'refuse') =>
    writeFileSync(
      yaml,
      `database: { client: sqlite, filename: data/cms.db, migrations: { destructive: ${destructive} } }
plugins: { upload: false, users-permissions: false }
contentTypes: { note: { attributes: { ${attributes} } } }
`,
    )
  const plan = async () => {
    const { code, out } = await runCommand(['plan', yaml, '--exit-code'], { cwd: folder })
    return [code, ...out.trim().split('\n')]
  }
  write('title: string, old: string')
  expect(await plan()).toEqual([
    3,
    '+ table notes',
    'sqlite: 1 to add, 0 to change, 0 to take away; no stored value is lost',
  ])
  expect(existsSync(join(folder, 'data'))).toBe(false)

  const cms = await createCms(yaml, { env: {} })
  await cms.entries('note').create({ title: 'a', old: 'b' })
  expect(await plan()).toEqual([0, 'sqlite: nothing would change'])
  write('headline: { type: string, renamedFrom: title }')
  expect(await plan()).toEqual([
    3,
    '~ column notes.title is renamed to headline with 1 value',
    '  - column notes.old is hidden, 1 value stays in the database',
    'sqlite: 0 to add, 1 to change, 1 to take away; no stored value is lost',
  ])
  await cms.reload()
  expect(await cms.entries('note').findMany()).toMatchObject([{ headline: 'a' }])
  await cms.close()

  write('headline: string', 'apply')
  expect(await plan()).toEqual([
    4,
    '! - column notes.old, hidden by an earlier change, is dropped with 1 value',
    'sqlite: 0 to add, 0 to change, 1 to take away; 1 marked ! drop stored values',
  ])
  await (await createCms(yaml, { env: {} })).close()
  expect(await plan()).toEqual([0, 'sqlite: nothing would change'])
})

test('what variables of the environment hold is masked', async () => {
  const folder = newFolder()
  const yaml = join(folder, 'cms.yaml')
  const reference = '$'.concat('{JWT_SECRET}')
  writeFileSync(yaml, config.replace('{ attributes', `{ collectionName: "${reference}", attributes`))
  const env = { JWT_SECRET: 'a-secret-of-the-environment' }
  for (const flags of [[], ['--json']]) {
    const { code, out, err } = await runCommand(['plan', yaml, ...flags], { cwd: folder, env })
    expect([code, out]).toEqual([0, expect.stringContaining('table ***')])
    expect(out + err).not.toContain(env.JWT_SECRET)
  }
})
