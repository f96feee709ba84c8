// Text that was written elsewhere comes into a configuration or a database as it stands: no variable of the environment
// is put into it, and what was exported and is imported again is unchanged.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { EnvironmentVariable, escapeText, toAuthorText } from '../../src/config/author-text.ts'
import { interpolateEnv } from '../../src/config/interpolate-env.ts'
import { parseYaml } from '../../src/config/yaml/parse-yaml.ts'
import { writeYaml } from '../../src/config/yaml/write-yaml.ts'
import { createCms } from '../../src/index.ts'
import { NO_GUARDS } from '../../src/strapi/import/guards.ts'
import { makeConfig } from '../../src/strapi/import/make-config.ts'
import { newFolder } from '../archive/in-file.ts'
import { runCommand } from '../support/run-command.ts'

const canary = 'canary-of-the-environment'
const env = { JWT_SECRET: canary, HOME: canary }

const texts: readonly string[] = [
  `\${JWT_SECRET}`,
  `\${JWT_SECRET:-none}`,
  `\${JWT_SECRET:?gone}`,
  `$\${JWT_SECRET}`,
  `$$\${JWT_SECRET}`,
  `\\\${JWT_SECRET}`,
  `\${a \${JWT_SECRET}}`,
  `$\${a \${JWT_SECRET} $\${b}`,
  `\${not closed`,
  '{$JWT_SECRET} $HOME ~ *a &b !env "q" \n two: lines # no comment',
]

/** Anonymous, as whoever finds the server asks. */
async function createdWith(file: string): Promise<Record<string, unknown>> {
  const cms = await createCms(file, { env })
  try {
    const response = await cms.fetch('/api/notes', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ data: {} }),
    })
    const { data } = (await response.json()) as { data: { attributes: Record<string, unknown> } }
    expect(response.status).toBe(200)
    return data.attributes
  } finally {
    await cms.close()
  }
}

function writeProject(folder: string, text: string): string {
  const write = (name: string, content: object): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), JSON.stringify(content))
  }
  write('package.json', { dependencies: { '@strapi/strapi': '4.25.0' } })
  write('src/api/note/content-types/note/schema.json', {
    kind: 'collectionType',
    collectionName: 'notes',
    info: { singularName: 'note', pluralName: 'notes', displayName: text, description: text },
    attributes: {
      text: { type: 'text', default: text },
      extra: { type: 'json', default: { deep: [text] } },
      part: { type: 'component', component: 'shared.part' },
    },
  })
  write('src/components/shared/part.json', {
    info: { displayName: text },
    attributes: { label: { type: 'text', default: text } },
  })
  return folder
}

test.each(texts)('import --strapi of a schema that says %j', async (text) => {
  const cwd = newFolder()
  const project = writeProject(join(cwd, 'project'), text)
  const { code, out, err } = await runCommand(
    ['import', '--strapi', project, '--into', join(cwd, 'cms.yaml')],
    {
      cwd,
      env,
    },
  )
  const file = join(cwd, 'cms.yaml')
  const made = readFileSync(file, 'utf8')
  expect(`${out}${err}${made}`).not.toContain(canary)
  expect(code, err).toBe(0)
  // The one reference that the tool itself writes.
  expect(parse(made).plugins['users-permissions'].config.jwtSecret).toBe(`\${JWT_SECRET:-}`)
  writeFileSync(
    file,
    `${made}auth: { roles: { public: { permissions: [note.find, note.create] } } }\n`
      .replace('client: sqlite', 'client: memory')
      .replace(/^ +filename: .*\n/m, ''),
  )
  expect(await createdWith(file)).toMatchObject({ text, extra: { deep: [text] } })
  const printed = await runCommand(['print-config', join(cwd, 'cms.yaml')], { cwd, env })
  expect(printed.out).not.toContain(canary)
})

test.each(texts)('what an export of Strapi keeps in its database and says %j', (text) => {
  const { config } = makeConfig(
    {
      apiVersion: 'strapi-4',
      contentTypes: new Map(),
      components: new Map(),
      roles: [{ id: 1, type: 'public', name: text, description: text, actions: [text] }],
      locales: [{ code: 'en', name: text }],
      defaultLocale: text,
      advanced: { email_confirmation_redirection: text, default_role: text },
      plugins: new Set(['i18n']),
      notes: [],
    },
    NO_GUARDS,
  )
  const { value } = interpolateEnv(parseYaml(writeYaml(config), 'cms.yaml').value, env)
  expect(value).toMatchObject({
    auth: { roles: { public: { name: text, description: text, permissions: [text] } } },
    plugins: {
      i18n: { config: { defaultLocale: text, locales: [{ code: 'en', name: text }] } },
      'users-permissions': {
        config: { advanced: { email_confirmation_redirection: text, default_role: text } },
      },
    },
  })
})

test.each(texts)('print-config of a configuration that says %j, loaded again', async (text) => {
  const cwd = newFolder()
  const type = { attributes: { text: { type: 'text', default: text } } }
  const config = {
    contentTypes: { note: type },
    data: { note: [{ text }] },
    auth: { roles: { public: { permissions: ['note.find', 'note.create'] } } },
  }
  writeFileSync(join(cwd, 'cms.yaml'), writeYaml(toAuthorText(config)))
  for (const flags of [[], ['--json']]) {
    const printed = async (file: string): Promise<string> => {
      const { out, err } = await runCommand(['print-config', join(cwd, file), ...flags], { cwd, env })
      expect(err).toBe('')
      return flags.length === 0 ? out : JSON.stringify(JSON.parse(out).config)
    }
    const first = await printed('cms.yaml')
    writeFileSync(join(cwd, 'again.yaml'), first)
    expect(await printed('again.yaml')).toBe(first)
    expect(await createdWith(join(cwd, 'again.yaml'))).toMatchObject({ text })
  }
})

test.each(['seed.yaml', 'seed.json'])('entries of a %s', async (name) => {
  const cwd = newFolder()
  const entries = texts.map((text) => ({ text }))
  writeFileSync(join(cwd, name), name.endsWith('json') ? JSON.stringify(entries) : writeYaml(entries))
  writeFileSync(
    join(cwd, 'cms.yaml'),
    `contentTypes: { note: { attributes: { text: text } } }\ndata: { note: ./${name} }\n`,
  )
  const cms = await createCms(join(cwd, 'cms.yaml'), { env })
  const stored = await cms.entries('note').findMany({ sort: 'id' })
  await cms.close()
  expect(stored.map((entry) => entry['text'])).toEqual(texts)
})

test('an archive of entries, into another database and out of it again', async () => {
  const cwd = newFolder()
  const configOf = (name: string, data: object): void =>
    writeFileSync(
      join(cwd, `${name}.yaml`),
      writeYaml({
        database: { client: 'sqlite', filename: `${name}.db` },
        contentTypes: { note: { attributes: { text: 'text', extra: 'json' } } },
        data,
      }),
    )
  configOf('one', toAuthorText({ note: texts.map((text) => ({ text, extra: { [text]: text } })) }) as object)
  configOf('two', {})
  const first = await createCms(join(cwd, 'one.yaml'), { env })
  await first.close()
  for (const [from, into] of [
    ['one', 'two'],
    ['two', 'one'],
  ]) {
    const archive = join(cwd, `${from}.tar.gz`)
    expect(
      await runCommand(['export', join(cwd, `${from}.yaml`), '--to', archive], { cwd, env }),
    ).toMatchObject({
      code: 0,
    })
    const { code, err } = await runCommand(
      ['import', archive, '--into', join(cwd, `${into}.yaml`), '--replace'],
      {
        cwd,
        env,
      },
    )
    expect(code, err).toBe(0)
  }
  const cms = await createCms(join(cwd, 'one.yaml'), { env })
  const stored = await cms.entries('note').findMany({ sort: 'id' })
  await cms.close()
  expect(stored.map(({ text, extra }) => [text, extra])).toEqual(
    texts.map((text) => [text, { [text]: text }]),
  )
})

test('the starter file reads nothing from the environment', async () => {
  const cwd = newFolder()
  await runCommand(['init'], { cwd, env })
  const { value } = parseYaml(readFileSync(join(cwd, 'cms.yaml'), 'utf8'), 'cms.yaml')
  expect(interpolateEnv(value, env)).toMatchObject({ interpolated: [], diagnostics: [] })
})

const anyText = fc.oneof(
  fc.string({ unit: fc.constantFrom('$', '{', '}', 'A', ':', '-', '?', '\\', ' ', '\n') }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('<<', '__proto', '~', 'null', '0x10', '1e3', 'yes', '&a', '*a', '!env', '- a', 'a: b'),
)

test('any text, escaped, is read back as itself', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const read = interpolateEnv([escapeText(text)], { A: canary })
      expect(read).toMatchObject({ value: [text], interpolated: [], diagnostics: [] })
    }),
    { numRuns: 2000 },
  )
})

test('any value, written as YAML, is read back as itself', () => {
  const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      anyText,
      fc.integer(),
      fc.boolean(),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(
        anyText.filter((key) => !/^(?:__proto__|constructor|prototype)$/.test(key)),
        tie('value'),
        {
          maxKeys: 3,
          noNullPrototype: true,
        },
      ),
    ),
  }))
  fc.assert(
    fc.property(values, (value) => {
      const { value: read, diagnostics } = parseYaml(writeYaml(toAuthorText({ value })), 'a.yaml')
      expect(diagnostics).toEqual([])
      expect(interpolateEnv(read, { A: canary }).value).toEqual({ value })
    }),
    { numRuns: 500, examples: [[' \n']] },
  )
})

test('what a tool wants from the environment is the only reference in what it writes', () => {
  const made = toAuthorText({ secret: new EnvironmentVariable('JWT_SECRET'), text: `\${JWT_SECRET}` })
  expect(made).toEqual({ secret: `\${JWT_SECRET:-}`, text: `$\${JWT_SECRET}` })
  expect(interpolateEnv(made, env).value).toEqual({ secret: canary, text: `\${JWT_SECRET}` })
})
