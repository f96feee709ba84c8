// `cms-run doctor`: what it finds on this machine, and what it says of what stands in the way of a start.

import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { checkNode } from '../../src/cli/commands/machine-checks.ts'
import { buildUwsAdvice } from '../../src/http/uws/uws-binding.ts'
import { createCms } from '../../src/index.ts'
import { newFolder } from '../archive/in-file.ts'
import { ask, openTestSchema, postgresHere } from '../support/postgres.ts'
import { runCommand } from '../support/run-command.ts'
import { transportsHere } from '../support/transports.ts'

const here = await postgresHere()
const types = 'contentTypes: { note: { attributes: { text: string } } }\n'

interface Document {
  readonly ok: boolean
  readonly checks: readonly { readonly name: string; readonly state: string; readonly message: string }[]
  readonly diagnostics: readonly unknown[]
}

async function examined(
  config: string,
  flags: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<{ code: number; document: Document; folder: string }> {
  const folder = newFolder()
  const file = join(folder, 'cms.yaml')
  writeFileSync(file, config)
  const { code, out } = await runCommand(['doctor', file, '--json', '--port', '0', ...flags], {
    cwd: folder,
    env,
  })
  return { code, document: JSON.parse(out) as Document, folder }
}

function checkOf({ checks }: Document, name: string) {
  return checks.find((check) => check.name === name)
}

test('a machine that is well, as text and as JSON', async () => {
  const folder = newFolder()
  const file = join(folder, 'cms.yaml')
  writeFileSync(file, types)
  const { code, out, err } = await runCommand(['doctor', file, '--port', '0'], { cwd: folder })
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(/^ok {6}node {6}Node \d+\.\d+\.\d+\nok {6}file {6}\S+cms\.yaml is valid\n/)
  expect(out).toMatch(/^ok {6}port {6}any that is free\nok {6}database {2}in memory: /m)
  const { document } = await examined(types)
  expect(document).toMatchObject({ ok: true, diagnostics: [] })
  expect(document.checks.map(({ name }) => name)).toEqual([
    'node',
    'file',
    'transport',
    'port',
    'database',
    'package',
  ])
})

test('a port that is taken', async () => {
  const other = createServer()
  const port = await new Promise<number>((resolve) => {
    other.listen(0, '127.0.0.1', () => {
      const address = other.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
  onTestFinished(() => void other.close())
  const { code, document } = await examined(types, ['--port', String(port)])
  expect(code).toBe(1)
  expect(document.ok).toBe(false)
  expect(checkOf(document, 'port')).toMatchObject({
    state: 'failed',
    message: `port ${port} on 127.0.0.1 is in use; choose another with --port`,
  })
})

test('a file with errors, and none at all', async () => {
  const { code, document } = await examined(types.replace('string', 'strin'))
  expect(code).toBe(1)
  expect(checkOf(document, 'file')).toMatchObject({
    state: 'failed',
    message: expect.stringMatching(/cms\.yaml has 1 error$/),
  })
  expect(document.diagnostics).toMatchObject([{ code: 'CFG017', line: 1 }])
  const before = process.cwd()
  process.chdir(newFolder())
  onTestFinished(() => process.chdir(before))
  const { out } = await runCommand(['doctor', '--port', '0'], { cwd: process.cwd() })
  expect(out).toMatch(
    /^failed {2}file {6}there is no cms\.yaml in this folder\n {18}make one with: npx cms-run init/m,
  )
  // The rest is told all the same.
  expect(out).toMatch(/^ok {6}port/m)
})

test.each([
  ['node', 'note', 0],
  transportsHere.includes('uws') ? ['uws', 'ok', 0] : ['uws', 'failed', 1],
] as const)('CMS_RUN_TRANSPORT=%s', async (transport, state, exitCode) => {
  const { code, document } = await examined(types, [], { CMS_RUN_TRANSPORT: transport })
  expect(code).toBe(exitCode)
  expect(checkOf(document, 'transport')).toMatchObject({ state })
})

test('what users install themselves: a note, and a failure where settings need it', async () => {
  const { document } = await examined(types)
  expect(document.checks.filter(({ name }) => name === 'package').map(({ message }) => message)).toEqual([
    expect.stringMatching(/^sharp is (not )?installed/),
  ])
  const provider =
    'plugins: { upload: { config: { provider: aws-s3, providerOptions: { bucket: b, region: r } } } }\n'
  const s3 = await examined(`${provider}${types}`)
  expect(s3.document.checks.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/^@aws-sdk\/client-s3 is (not )?installed/),
  )
})

describe('a database file', () => {
  const configOf = (filename: string) => `database: { client: sqlite, filename: ${filename} }\n${types}`

  test('is not made', async () => {
    const { code, document, folder } = await examined(configOf('deep/er/cms.db'))
    expect(code).toBe(0)
    expect(checkOf(document, 'database')?.message).toMatch(/cms\.db, which the first start creates$/)
    expect(readdirSync(folder)).toEqual(['cms.yaml'])
  })

  test.each([
    ['cms.yaml/cms.db', /DBS030|is no folder that can be written/],
    ['.', /it is a directory/],
    ['cms.yaml', /is not a database, or is damaged/],
  ])('%s', async (filename, message) => {
    const { code, document } = await examined(configOf(filename))
    expect(code).toBe(1)
    expect(checkOf(document, 'database')).toMatchObject({
      state: 'failed',
      message: expect.stringMatching(message),
    })
  })

  test('that a server uses, and then does not', async () => {
    const folder = newFolder()
    const file = join(folder, 'cms.yaml')
    mkdirSync(join(folder, 'data'))
    writeFileSync(file, configOf('data/cms.db'))
    const stateNow = async (): Promise<unknown> => {
      const { out } = await runCommand(['doctor', file, '--json', '--port', '0'], { cwd: folder })
      return checkOf(JSON.parse(out) as Document, 'database')
    }
    const cms = await createCms(file, { env: {} })
    expect(await stateNow()).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('is in use by another process'),
      help: expect.stringContaining('end that process'),
    })
    await cms.close()
    expect(await stateNow()).toMatchObject({ state: 'ok' })
    expect(existsSync(join(folder, 'data/cms.db'))).toBe(true)
  })
})

describe.skipIf(here === undefined)('PostgreSQL', () => {
  test('its version, and no schema made', async () => {
    const { connection, schema } = await openTestSchema(here ?? '')
    const { code, document } = await examined(
      `database: { client: postgres, connection: '${connection}', schema: ${schema} }\n${types}`,
    )
    expect(code).toBe(0)
    expect(checkOf(document, 'database')?.message).toMatch(
      new RegExp(`^PostgreSQL \\d+.*, schema "${schema}", which the first start creates$`),
    )
    expect(await ask(connection, `select 1 from pg_namespace where nspname = '${schema}'`)).toEqual([])
  })
})

test('a PostgreSQL that does not answer', async () => {
  const { code, document } = await examined(
    `database: { client: postgres, connection: 'postgres://me@127.0.0.1:1/cms' }\n${types}`,
  )
  expect(code).toBe(1)
  expect(checkOf(document, 'database')).toMatchObject({
    state: 'failed',
    message: 'no database server answers at 127.0.0.1:1: connection refused',
    help: 'start it, or correct host and port',
  })
})

test.each([
  ['18.20.0', 'failed'],
  ['20.18.1', 'failed'],
  ['20.19.0', 'ok'],
  ['20.20.2', 'ok'],
  ['21.7.3', 'failed'],
  ['22.11.0', 'failed'],
  ['22.12.0', 'ok'],
  ['23.0.0', 'ok'],
  ['100.1.0', 'ok'],
])('Node %s: %s', (version, state) => {
  expect(checkNode(version).state).toBe(state)
})

test.each([
  ['20.20.0', /for a platform .*#v20\.51\.0$/],
  ['22.11.0', /^for Node 22, .*: npm install uNetworking\/uWebSockets\.js#v20\.51\.0$/],
  ['24.1.0', /#v20\.52\.0$/],
  ['26.0.0', /#v20\.67\.0 \(on Linux it needs glibc 2\.38/],
  ['30.0.0', /^no release for Node 30 is known; run Node 20/],
])('the fast transport for Node %s', (version, advice) => {
  expect(buildUwsAdvice(version)).toMatch(advice)
})

const ruled = (type: string) => `
contentTypes: { ticket: { ${type} } }
auth: { roles: { public: { permissions: [{ ticket.find: { where: 'state == "open"' } }] } } }
`

test.each([
  ['no index', ruled('attributes: { state: string }'), 1],
  ['an index', ruled('index: [state], attributes: { state: string }'), 0],
])('a rule for lists that %s serves', async (_, config, count) => {
  const { code, document } = await examined(config)
  expect(code).toBe(0)
  const found = document.checks.filter(({ name }) => name === 'rule')
  expect(found).toHaveLength(count)
  for (const each of found)
    expect(each).toEqual({
      name: 'rule',
      state: 'note',
      message: 'a list of api::ticket.ticket by the role public looks at all entries: its rule has no index',
      help: 'declare, beside the indexes that there are: contentTypes: { ticket: { index: [state] } }',
    })
})
