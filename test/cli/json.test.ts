// `--json`: whatever a command prints, and whatever it finds wrong, is JSON.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from '../support/run-command.ts'

let cwd: string
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'cms-json-'))
  writeFileSync(join(cwd, 'good.yaml'), 'contentTypes: { note: { attributes: { text: string } } }\n')
  writeFileSync(join(cwd, 'bad.yaml'), 'contentTypes: { note: { attributes: { text: strin } } }\n')
  writeFileSync(
    join(cwd, 'sqlite.yaml'),
    'database: { client: sqlite, filename: cms.db }\ncontentTypes: { note: { attributes: { text: string } } }\n',
  )
})
afterAll(() => rmSync(cwd, { recursive: true }))

const COMMANDS = [
  'validate',
  'print-config',
  'permissions',
  'schema',
  'types',
  'openapi',
  'plan',
  'token list',
  'backup',
  'export --to out.tar.gz',
]

/** Names of files stand for those of the folder. */
function inFolder(words: readonly string[]): string[] {
  return words.map((word) => (/\.(yaml|gz)$/.test(word) ? join(cwd, word) : word))
}

function wordsOf(command: string, file: string): string[] {
  const [name = '', ...rest] = command.split(' ')
  return name === 'token' ? ['token', 'list', file, '--json'] : [name, file, ...rest, '--json']
}

test.each(COMMANDS)('cms-run %s, of a file that is wrong', async (command) => {
  const { code, out, err } = await runCommand(inFolder(wordsOf(command, 'bad.yaml')), { cwd })
  expect(code).toBe(1)
  const report = JSON.parse(command === 'validate' ? out : err)
  expect(report).toMatchObject([{ severity: 'error', file: join(cwd, 'bad.yaml'), line: 1, column: 45 }])
  expect(command === 'validate' ? err : out).toBe('')
})

test.each([
  ['backup good.yaml', /in memory/],
  ['backup sqlite.yaml', /./],
  ['export good.yaml --to out.tar.gz', /in memory/],
  ['export sqlite.yaml --to out.tar.gz', /does not exist yet/],
  ['import missing.tar.gz --into sqlite.yaml', /there is no such file/],
  ['import --strapi missing --into new.yaml', /there is no such file or folder/],
  ['init good.yaml', /is there already/],
  ['schema good.yaml', /switched off/],
  ['token create', /needs a name/],
  ['validte', /did you mean/],
])('cms-run %s, which cannot be done', async (command, message) => {
  const { code, out, err } = await runCommand(inFolder([...command.split(' '), '--json']), { cwd })
  expect(code).toBeGreaterThan(0)
  expect(JSON.parse(err).at(-1)).toEqual({ severity: 'error', message: expect.stringMatching(message) })
  expect(out).toBe('')
})

test('what is right prints its result alone', async () => {
  const { code, out, err } = await runCommand(inFolder(['permissions', 'good.yaml', '--json']), { cwd })
  expect([code, err]).toEqual([0, ''])
  expect(JSON.parse(out)).toHaveProperty('actions')
})

test('--format github annotates', async () => {
  const { err } = await runCommand(inFolder(['permissions', 'bad.yaml', '--format', 'github']), { cwd })
  expect(err).toMatch(/^::error file=\S+bad\.yaml,line=1,/)
  const told = await runCommand(inFolder(['backup', 'good.yaml', '--format', 'github']), { cwd })
  expect(told.err).toMatch(/^::error::the database is in memory/)
})
