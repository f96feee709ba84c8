// What `validate --json` and `plan --json` print has the shape of schemas/cli-output.schema.json, and nothing else.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { createCms, type Diagnostic } from '../../src/index.ts'
import type { DatabasePlan, PlannedChange } from '../../src/storage/migration/plan-database.ts'
import { inFile, newFolder } from '../archive/in-file.ts'
import { runCommand } from '../support/run-command.ts'

const root = join(import.meta.dirname, '../..')
const schema = JSON.parse(readFileSync(join(root, 'schemas/cli-output.schema.json'), 'utf8'))

/** The published schema allows further members, because later versions may add some; the tests do not. */
function withoutOtherMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOtherMembers)
  if (typeof value !== 'object' || value === null) return value
  const closed = Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, withoutOtherMembers(one)]),
  )
  return 'properties' in closed && closed['type'] === 'object'
    ? { ...closed, additionalProperties: false }
    : closed
}

const options = { allErrors: true, allowUnionTypes: true, strictRequired: false, strictTypes: false } as const
const published = new Ajv2020(options).addSchema(schema)
const closed = new Ajv2020(options).addSchema(withoutOtherMembers(schema) as object)

function faultsOf(command: string, document: unknown, ajv = closed): readonly string[] {
  const validate = ajv.getSchema(`${schema.$id}#/$defs/${command}`)
  if (validate === undefined) throw new Error(`no definition of ${command}`)
  validate(document)
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params)].join(' '),
  )
}

interface Printed {
  readonly ok: boolean
  readonly outcome?: DatabasePlan['outcome']
  readonly changes?: readonly PlannedChange[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Runs the command, and expects the shape that the schema promises. */
async function run(command: 'validate' | 'plan', file: string, ...flags: string[]) {
  const { code, out, err } = await runCommand([command, file, '--json', ...flags], { cwd: dirname(file) })
  const document = JSON.parse(out) as Printed
  expect([basename(file), err, ...faultsOf(command, document)]).toEqual([basename(file), ''])
  expect(faultsOf(command, document, published)).toEqual([])
  return { code, document }
}

const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => join(root, folder, name))

/** For each code of an expected report, one file that has it. */
function filesByCode(): readonly string[] {
  const files = new Map<string, string>()
  for (const file of filesIn('test/config/bad')) {
    const report = readFileSync(file.replace(/yaml$/, 'txt'), 'utf8')
    for (const [, code = ''] of report.matchAll(/^(?:error|warning)\[(\w+)\]/gm))
      if (!files.has(code)) files.set(code, file)
  }
  return [...new Set(files.values())].map((file) => file.slice(root.length + 1))
}

describe('validate', () => {
  test.each([...filesByCode(), 'test/config/bad/roles-short-names.yaml'])('%s', async (file) => {
    const { code, document } = await run('validate', join(root, file))
    expect([code, document.ok]).toEqual(
      document.diagnostics.some(({ severity }) => severity === 'error') ? [1, false] : [0, true],
    )
    expect(document.diagnostics).not.toEqual([])
  })

  test.each([join(root, 'cms.yaml'), ...filesIn('examples/templates')])('%s', async (file) => {
    expect(await run('validate', file)).toMatchObject({ code: 0, document: { ok: true, diagnostics: [] } })
  })

  test('a file that is missing, and flags that are wrong', async () => {
    const missing = join(newFolder(), 'cms.yaml')
    expect(await run('validate', missing)).toMatchObject({
      code: 1,
      document: { ok: false, diagnostics: [{ code: 'CFG001' }] },
    })
    for (const command of ['validate', 'plan'] as const)
      expect(await run(command, missing, '--prot')).toMatchObject({
        code: 2,
        document: { ok: false, diagnostics: [{ code: 'CLI001' }] },
      })
  })
})

describe('plan', () => {
  const plugins = 'plugins: { upload: false, users-permissions: false }\n'
  const withType = (attributes: string, more = ''): string =>
    `${plugins}database: { client: sqlite, filename: cms.db${more} }\ncontentTypes: { note: { ${attributes} } }\n`

  async function planAfter(before: string, entries: readonly Record<string, unknown>[], after: string) {
    const file = inFile(before)
    await using cms = await createCms(file, { env: {} })
    for (const entry of entries) await cms.entries('note').create(entry)
    writeFileSync(file, after)
    const plain = await run('plan', file)
    const { code } = await run('plan', file, '--exit-code')
    return { ...plain.document, codes: [plain.code, code] }
  }

  test('a database that does not exist yet', async () => {
    const { code, document } = await run('plan', inFile(withType('title: string')))
    expect([code, document.ok, document.outcome]).toEqual([0, true, 'changes'])
  })

  test('nothing would change', async () => {
    const text = withType('title: string')
    expect(await planAfter(text, [], text)).toMatchObject({ ok: true, outcome: 'none', codes: [0, 0] })
  })

  test('changes without loss', async () => {
    const after = withType(
      'headline: { type: string, renamedFrom: title }, rank: { type: int, unique: true }',
    )
    const found = await planAfter(withType('title: string, old: string'), [{ title: 'a', old: 'b' }], after)
    expect(found).toMatchObject({ ok: true, outcome: 'changes', codes: [0, 3] })
    expect(new Set(found.changes?.map(({ mark }) => mark))).toEqual(new Set(['+', '~', '-']))
    expect(found.diagnostics.map(({ code }) => code)).toContain('DBS013')
  })

  test('stored values would be lost', async () => {
    const after = withType('title: string', ', migrations: { destructive: apply }')
    expect(await planAfter(withType('title: string, old: string'), [{ old: 'b' }], after)).toMatchObject({
      ok: true,
      outcome: 'destructive',
      codes: [0, 4],
      changes: [{ column: 'old', rows: 1, destructive: true }],
    })
  })

  test('values in the way', async () => {
    const found = await planAfter(withType('title: string'), [{ title: 'no number' }], withType('title: int'))
    expect(found).toMatchObject({ ok: false, outcome: 'refused', codes: [1, 1], changes: [] })
  })

  test('a database that cannot be opened', async () => {
    const file = inFile(withType('title: string'))
    mkdirSync(join(dirname(file), 'cms.db'))
    expect(await run('plan', file)).toMatchObject({ code: 1, document: { ok: false, outcome: 'refused' } })
  })

  test('a file with errors', async () => {
    const { code, document } = await run('plan', inFile(withType('title: strin')))
    expect(code).toBe(1)
    expect(document).toMatchObject({ ok: false, diagnostics: [{ code: 'CFG017', line: 3 }] })
    expect(document).not.toHaveProperty('outcome')
  })
})

test('every value of the types is in the schema', () => {
  const kinds: Record<PlannedChange['kind'], true> = {
    'create-table': true,
    'show-table': true,
    'hide-table': true,
    'replace-table': true,
    'rename-table': true,
    'drop-table': true,
    'add-column': true,
    'show-column': true,
    'hide-column': true,
    'convert-column': true,
    'set-column-aside': true,
    'rename-column': true,
    'drop-column': true,
    'create-index': true,
    'drop-index': true,
    'check-together': true,
    'rename-text': true,
    'move-content': true,
  }
  const marks: Record<PlannedChange['mark'], true> = { '+': true, '~': true, '-': true }
  const outcomes: Record<DatabasePlan['outcome'], true> = {
    none: true,
    changes: true,
    destructive: true,
    refused: true,
  }
  const clients: Record<DatabasePlan['client'], true> = {
    memory: true,
    sqlite: true,
    postgres: true,
    mysql: true,
  }
  const severities: Record<Diagnostic['severity'] | 'note', true> = { error: true, warning: true, note: true }
  const { change, plan, diagnostic } = schema.$defs
  for (const [found, expected] of [
    [change.properties.kind.enum, kinds],
    [change.properties.mark.enum, marks],
    [plan.properties.outcome.enum, outcomes],
    [plan.properties.client.enum, clients],
    [diagnostic.properties.severity.enum, severities],
  ])
    expect(found.toSorted()).toEqual(Object.keys(expected).toSorted())
})

describe('what is not promised is a fault', () => {
  const change = { mark: '+', kind: 'create-table', table: 'a', text: 'table a', rows: 0, destructive: false }
  const planned = { ok: true, outcome: 'changes', client: 'memory', changes: [change], foreignTables: [] }
  const found = { code: 'CFG001', severity: 'error', message: 'gone' }

  test.each([
    ['validate', { ok: true, file: 'a', paths: {}, diagnostics: [], more: 1 }],
    ['validate', { ok: true, file: 'a', diagnostics: [] }],
    ['validate', { ok: false, file: 'a', diagnostics: [] }],
    ['validate', { ok: false, diagnostics: [{ ...found, more: 1 }] }],
    ['validate', { ok: false, diagnostics: [{ ...found, file: 'a' }] }],
    ['validate', { ok: false, diagnostics: [{ severity: 'error', message: 'gone' }] }],
    ['plan', { ...planned, diagnostics: [], more: 1 }],
    ['plan', { ...planned, changes: [{ ...change, more: 1 }], diagnostics: [] }],
    ['plan', { ...planned, outcome: 'refused', changes: [], diagnostics: [] }],
    ['plan', { ok: true, diagnostics: [] }],
  ])('%s %j', (command, document) => {
    expect(faultsOf(command, document)).not.toEqual([])
  })
})
