// A text that a page of the console sends in the place of the file's runs no code of clients, and tells no secret.

import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createCms } from '../../src/index.ts'
import { newFolder } from '../archive/in-file.ts'

const SECRET = 'a-secret-of-the-environment'

/** Names the secret. */
const jwt = '$'.concat('{JWT_SECRET}')

const plain = 'contentTypes: { note: { attributes: { text: string } } }\n'

async function open(setting: string, more = '', types = plain) {
  const folder = newFolder()
  const file = join(folder, 'project', 'cms.yaml')
  const ran = join(folder, 'ran')
  const code = `import { writeFileSync } from 'node:fs'
writeFileSync(${JSON.stringify(ran)}, '')
export default () => true
`
  const write = (path: string, text = code): void => {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  write('project/cms.yaml', `console: ${setting}\n${more}${types}`)
  const cms = await createCms(file, { env: { JWT_SECRET: SECRET } })
  onTestFinished(() => cms.close())
  const { consoleUrl } = await cms.listen(0, '127.0.0.1')
  const key = /#key=(.+)$/.exec(consoleUrl ?? '')?.[1] ?? ''
  const ask = async (path: string, body: unknown, method = 'POST') => {
    const headers = { host: 'localhost', 'content-type': 'application/json', 'x-console-key': key }
    const answer = await cms.fetch(path, { method, headers, body: JSON.stringify(body) })
    return { status: answer.status, text: await answer.text() }
  }
  const { hash } = JSON.parse(
    await (
      await cms.fetch('/_console/file', { headers: { host: 'localhost', 'x-console-key': key } })
    ).text(),
  ) as { hash: string }
  return {
    folder,
    write,
    hasRun: () => existsSync(ran),
    ask,
    asBearer: (token: string) => cms.fetch('/api/notes', { headers: { authorization: `Bearer ${token}` } }),
    plan: (text: string) => ask('/_console/plan', { text }),
    save: (text: string) => ask('/_console/file', { text, hash }, 'PUT'),
    saved: () => readFileSync(file, 'utf8'),
  }
}

/** Texts that name the file in each place in which a text can name code. */
const places: readonly (readonly [string, (file: string) => string])[] = [
  ['policies', (file) => `policies: { p: ${file} }\n`],
  ['middlewares', (file) => `middlewares: { m: ${file} }\n`],
  ['routes', (file) => `routes: [{ method: GET, path: /x, handler: ${file} }]\n`],
  ['extensions', (file) => `extensions: ${file}\n`],
  ['graphql', (file) => `plugins: { graphql: true }\ngraphql: { extensions: [${file}] }\n`],
  ['provider', (file) => `plugins: { upload: { config: { provider: ${file} } } }\n`],
]

test.each(places)('without edit no text is planned or saved: %s', async (_place, text) => {
  const { write, plan, save, hasRun } = await open('true')
  write('project/policies/mine.mjs')
  for (const sent of [plan, save]) expect((await sent(text('./policies/mine.mjs') + plain)).status).toBe(403)
  expect(hasRun()).toBe(false)
})

test.each(places)(
  'with edit, files of the project are loaded, those of clients never: %s',
  async (_place, text) => {
    const { folder, write, plan, save, saved, hasRun } = await open('{ edit: true }')
    const before = saved()
    for (const path of ['project/uploads/evil_1.mjs', 'project/node_modules/evil/index.mjs', 'evil.mjs'])
      write(path)
    mkdirSync(join(folder, 'project/policies'))
    symlinkSync('../uploads/evil_1.mjs', join(folder, 'project/policies/linked.mjs'))
    symlinkSync('../uploads', join(folder, 'project/policies/linked'))
    symlinkSync('../../evil.mjs', join(folder, 'project/policies/outside.mjs'))
    for (const name of [
      './uploads/evil_1.mjs',
      './policies/../uploads/evil_1.mjs',
      './policies/linked.mjs',
      './policies/linked/evil_1.mjs',
      './policies/outside.mjs',
      './node_modules/evil/index.mjs',
      '../evil.mjs',
      join(folder, 'evil.mjs'),
      join(folder, 'project/uploads/evil_1.mjs'),
    ]) {
      expect([name, (await plan(text(name) + plain)).text]).toEqual([
        name,
        expect.stringMatching(/USR001|CFG014/),
      ])
      expect((await save(text(name) + plain)).status).toBe(400)
    }
    expect(hasRun()).toBe(false)
    expect(saved()).toBe(before)
    write('project/policies/mine.mjs')
    await plan(text('./policies/mine.mjs') + plain)
    expect(hasRun()).toBe(true)
  },
)

test('a text that moves the folder of uploads names no file of the former one', async () => {
  const moved = (name: string) =>
    `policies: { p: ${name} }\nplugins: { upload: { config: { provider: local, providerOptions: { directory: ./new } } } }\n${plain}`
  const { write, plan, hasRun } = await open('{ edit: true }')
  for (const folder of ['uploads', 'new']) {
    write(`project/${folder}/evil_1.mjs`)
    expect((await plan(moved(`./${folder}/evil_1.mjs`))).text).toContain('USR001')
  }
  expect(hasRun()).toBe(false)
})

test('files of entries outside of the project are not read', async () => {
  const { write, plan } = await open('{ edit: true }')
  write('others.json', JSON.stringify({ note: [{ txet: 'of others' }] }))
  const { text } = await plan(`data: ../others.json\n${plain}`)
  expect(text).toContain('outside of the project')
  expect(text).not.toContain('of others')
  expect(text).not.toContain('txet')
})

test('a text names no variable that the file does not name at the same place', async () => {
  const { write, plan, save, saved } = await open(
    '{ edit: true }',
    `auth: { apiTokens: [{ name: a, type: full-access, token: "${jwt}" }] }\n`,
  )
  write('secret', SECRET)
  const type = (value: string) =>
    `contentTypes: { a: { collectionName: "${value}", attributes: { x: string } } }\n`
  for (const value of [
    jwt,
    `x_${jwt}`,
    `$$\{a${jwt}`,
    '$'.concat('{file:../secret}'),
    '$'.concat('{JWT_SECRET:-a}'),
  ]) {
    const { text } = await plan(type(value))
    expect([value, text]).toEqual([value, expect.stringContaining('CFG049')])
    expect(text).not.toContain(SECRET)
    expect((await save(type(value))).status).toBe(400)
  }
  for (const token of [
    `{ name: a, type: read-only, token: "${jwt}" }`,
    `{ name: b, type: full-access, token: another-token-of-thirty-two-chars }, { name: a, type: full-access, token: "${jwt}" }`,
  ]) {
    const { text } = await plan(`auth: { apiTokens: [${token}] }\n${plain}`)
    expect(JSON.parse(text)).toMatchObject({ changes: [] })
  }
  expect(saved()).toContain(jwt)
})

test('a plan masks the values of variables that the file names', async () => {
  const named = plain.replace('{ attributes', `{ collectionName: "${jwt}", attributes`)
  const { plan } = await open('{ edit: true }', `${named}components: {}\n`, '')
  const { text } = await plan(named.replace('text: string', 'text: string, more: string'))
  expect(JSON.parse(text)).toMatchObject({ changes: [{ text: 'column ***.more (text)' }] })
  expect(text).not.toContain(SECRET)
})

test('the text of an API token is not told: another one stands for it', async () => {
  const { ask, asBearer } = await open(
    'true',
    `auth: { apiTokens: [{ name: reader, type: read-only, token: "${jwt}" }] }\n`,
  )
  const { text } = await ask('/_console/token', { as: 'token:reader' })
  expect(text).not.toContain(SECRET)
  const { token } = JSON.parse(text) as { token: string }
  expect((await asBearer(token)).status).toBe(200)
  const asked = { as: 'token:reader', method: 'POST', path: '/api/notes', body: { data: {} } }
  expect(JSON.parse((await ask('/_console/ask', asked)).text)).toMatchObject({ status: 403 })
})
