// `--json`: whatever a command prints, and whatever it finds wrong, is one document on standard output.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CommandName } from '../../src/cli/command-names.ts'
import { runCommand } from '../support/run-command.ts'

let cwd: string
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'cms-json-'))
  writeFileSync(join(cwd, 'good.yaml'), 'contentTypes: { note: { attributes: { text: string } } }\n')
  writeFileSync(join(cwd, 'bad.yaml'), 'contentTypes: { note: { attributes: { text: strin } } }\n')
  writeFileSync(
    join(cwd, 'graphql.yaml'),
    'plugins: { graphql: true }\ncontentTypes: { note: { attributes: { text: string } } }\n',
  )
  writeFileSync(
    join(cwd, 'warned.yaml'),
    'contentTypes: { note: { attributes: { text: { type: customField, customField: a.b } } } }\n',
  )
  writeFileSync(
    join(cwd, 'sqlite.yaml'),
    'database: { client: sqlite, filename: cms.db }\ncontentTypes: { note: { attributes: { text: string } } }\n',
  )
})
afterAll(() => rmSync(cwd, { recursive: true }))

interface Document {
  readonly ok: boolean
  readonly diagnostics: readonly Readonly<Record<string, unknown>>[]
}

/** Names of files stand for those of the folder. */
async function asked(line: string): Promise<{ code: number; document: Document & Record<string, unknown> }> {
  const words = line.split(' ').map((word) => (/\.(yaml|gz|db)$/.test(word) ? join(cwd, word) : word))
  const { code, out, err } = await runCommand([...words, '--json'], { cwd })
  expect(err).toBe('')
  const document = JSON.parse(out)
  expect(Object.keys(document)[0]).toBe('ok')
  expect(Object.keys(document).at(-1)).toBe('diagnostics')
  return { code, document }
}

const COMMANDS: Readonly<Record<CommandName, string>> = {
  run: 'FILE',
  validate: 'validate FILE',
  'print-config': 'print-config FILE',
  permissions: 'permissions FILE',
  schema: 'schema FILE',
  types: 'types FILE',
  client: 'client FILE',
  openapi: 'openapi FILE',
  plan: 'plan FILE',
  'token list': 'token list FILE',
  backup: 'backup FILE',
  migrate: 'migrate FILE --to strapi-5',
  export: 'export FILE --to out.tar.gz',
  import: 'import in.tar.gz --into FILE',
  doctor: 'doctor FILE',
  // Its output is the protocol's.
  mcp: '',
  webhooks: 'webhooks list FILE',
  'webhooks retry': 'webhooks retry FILE',
  sessions: 'sessions list FILE --user 1',
  'sessions revoke': 'sessions revoke FILE --user 1',
  users: 'users FILE',
  'users create': 'users create FILE --username ann --email ann@example.com --role editor',
  'users password': 'users password FILE --user ann',
  'users role': 'users role FILE --user ann --role editor',
  // Those do not read it.
  init: '',
  'mcp install': '',
  token: '',
  secrets: '',
  // It reads cases, and the file that they name.
  test: '',
  record: '',
  check: 'check FILE --against http://127.0.0.1:9',
  help: '',
  version: '',
}

test.each(Object.values(COMMANDS).filter((line) => line !== ''))(
  'cms-run %s, of a file that is wrong',
  async (line) => {
    const { code, document } = await asked(line.replace('FILE', 'bad.yaml'))
    expect(code).toBe(1)
    expect(document).toMatchObject({
      ok: false,
      diagnostics: [
        {
          code: 'CFG017',
          severity: 'error',
          message: expect.stringContaining('strin'),
          help: 'did you mean "string"?',
          file: join(cwd, 'bad.yaml'),
          line: 1,
          column: 45,
        },
      ],
    })
  },
)

test.each([
  ['backup good.yaml', 1, /in memory/],
  ['backup sqlite.yaml', 1, /./],
  ['export good.yaml --to out.tar.gz', 1, /in memory/],
  ['export sqlite.yaml --to out.tar.gz', 1, /does not exist yet/],
  ['import missing.tar.gz --into sqlite.yaml', 1, /there is no such file/],
  ['import --strapi missing --into new.yaml', 1, /there is no such file or folder/],
  ['migrate good.yaml', 2, /--to strapi-5/],
  ['migrate good.yaml --to strapi-6', 1, /--to strapi-5/],
  ['init good.yaml', 1, /is there already/],
  ['schema good.yaml', 1, /switched off/],
  ['token create', 2, /needs a name/],
  ['validte', 2, /did you mean/],
  ['--prot 80', 2, /did you mean/],
])('cms-run %s, which cannot be done', async (line, exitCode, message) => {
  const { code, document } = await asked(line)
  expect(code).toBe(exitCode)
  expect(document).toEqual({
    ok: false,
    diagnostics: [
      { code: code === 2 ? 'CLI001' : 'CLI002', severity: 'error', message: expect.stringMatching(message) },
    ],
  })
})

test.each([
  ['validate good.yaml', { file: expect.stringContaining('good.yaml') }],
  ['print-config good.yaml', { config: { contentTypes: { 'api::note.note': {} } } }],
  ['permissions good.yaml', { actions: expect.any(Array) }],
  ['schema graphql.yaml', { schema: expect.stringContaining('type Note ') }],
  ['types good.yaml', { types: expect.stringContaining('interface') }],
  ['client good.yaml', { client: expect.stringContaining('export ') }],
  ['types good.yaml --out types.d.ts', { file: 'types.d.ts' }],
  ['openapi good.yaml', { openapi: { openapi: '3.1.0' } }],
  ['plan good.yaml', { outcome: 'changes', changes: expect.any(Array) }],
  ['token list good.yaml', { tokens: [] }],
  [
    'token create front-end',
    { apiToken: { name: 'front-end', tokenHash: expect.stringMatching(/^sha512:/) } },
  ],
  ['init new.yaml', { file: expect.stringContaining('new.yaml'), template: 'blog' }],
  ['help', { help: expect.stringContaining('Usage') }],
  ['version', { version: expect.stringMatching(/^\d/) }],
])('cms-run %s', async (line, result) => {
  const { code, document } = await asked(line)
  expect(code).toBe(0)
  expect(document).toMatchObject({ ok: true, ...result, diagnostics: [] })
})

test('plan --exit-code: what would change is no failure', async () => {
  const { code, document } = await asked('plan good.yaml --exit-code')
  expect(code).toBe(3)
  expect(document).toMatchObject({ ok: true, outcome: 'changes' })
})

test('warnings are in it', async () => {
  const { code, document } = await asked('validate warned.yaml')
  expect(code).toBe(0)
  expect(document).toMatchObject({ ok: true, diagnostics: [{ severity: 'warning', line: 1 }] })
})

test('--format github annotates', async () => {
  const { err } = await runCommand(['permissions', join(cwd, 'bad.yaml'), '--format', 'github'], { cwd })
  expect(err).toMatch(/^::error file=\S+bad\.yaml,line=1,/)
  const told = await runCommand(['backup', join(cwd, 'good.yaml'), '--format', 'github'], { cwd })
  expect(told.err).toMatch(/^::error::the database is in memory/)
})
