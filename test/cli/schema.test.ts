// `cms-run schema` through the command line: the schema that is served, without a database being touched.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildSchema } from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from '../../src/cli/main.ts'

let folder: string

async function schemaOf(yaml: string): Promise<{ code: number; out: string; err: string }> {
  await writeFile(join(folder, 'cms.yaml'), yaml)
  const printed = { out: '', err: '' }
  const code = await runCli(['schema', join(folder, 'cms.yaml')], {
    out: (text) => {
      printed.out += text
    },
    err: (text) => {
      printed.err += text
    },
    env: {},
    cwd: folder,
    isTty: false,
    onSignal: () => () => {},
    onFault: () => () => {},
  })
  return { code, ...printed }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cms-run-schema-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('prints what GraphQL serves', async () => {
  const { code, out } = await schemaOf(`
plugins: { graphql: true }
contentTypes: { note: { attributes: { text: { type: string, required: true }, kind: { type: enumeration, enum: [how-to] } } } }
`)
  expect(code).toBe(0)
  const schema = buildSchema(out)
  expect(schema.getQueryType()?.getFields()).toHaveProperty('notes')
  expect(out).toContain('enum ENUM_NOTE_KIND {\n  how_to\n}')
  expect(out).toContain('type Note {\n  createdAt: DateTime\n  kind: ENUM_NOTE_KIND\n  text: String!')
})

test('says when GraphQL is off', async () => {
  const { code, err } = await schemaOf('contentTypes: { note: { attributes: { text: string } } }')
  expect(code).toBe(1)
  expect(err).toContain('the graphql plugin is switched off')
})

test('reports what is wrong with the file', async () => {
  const { code, out, err } = await schemaOf('contentTypes: { note: { attributes: { text: strng } } }')
  expect([code, out]).toEqual([1, ''])
  expect(err).toContain('did you mean "string"?')
})
