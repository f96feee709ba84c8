// `${file:path}` and `NAME_FILE`: what is read, that it is a secret, and that an edit of it is followed.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadConfig } from '../../../src/config/load-config.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cms-run-secrets-'))
  writeFileSync(join(folder, 'jwt'), 'secret-from-a-file\n')
  writeFileSync(join(folder, 'number'), '4711')
  writeFileSync(join(folder, 'large'), 'x'.repeat(65 * 1024))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const load = (jwtSecret: unknown, env: Record<string, string> = {}) =>
  loadConfig(
    {
      object: {
        contentTypes: { article: { attributes: { title: 'string' } } },
        plugins: { 'users-permissions': { config: { jwtSecret } } },
      },
      directory: folder,
    },
    { env },
  )

const ref = (inner: string) => `\${${inner}}`

test.each<[string, unknown, Record<string, string>, unknown]>([
  ['a file, without the line break at its end', ref('file:./jwt'), {}, 'secret-from-a-file'],
  ['a file beside other text', `a-${ref('file:jwt')}-z`, {}, 'a-secret-from-a-file-z'],
  ['a file that is not there, with a default', ref('file:./none:-otherwise'), {}, 'otherwise'],
  ['NAME_FILE', ref('JWT'), { JWT_FILE: './jwt' }, 'secret-from-a-file'],
  ['NAME_FILE, with a default', ref('JWT:-none'), { JWT_FILE: './jwt' }, 'secret-from-a-file'],
  [
    'a list of both',
    [ref('JWT'), ref('OLD')],
    { JWT_FILE: 'jwt', OLD: 'old' },
    ['secret-from-a-file', 'old'],
  ],
  ['the variable itself wins', ref('JWT'), { JWT: 'set', JWT_FILE: './jwt' }, 'set'],
  ['a literal', `$${ref('file:./jwt')}`, {}, ref('file:./jwt')],
])('%s', async (_, written, env, expected) => {
  const { config, diagnostics } = await load(written, env)
  expect(diagnostics).toEqual([])
  expect(config?.plugins['users-permissions']?.config['jwtSecret']).toEqual(expected)
})

test.each<[string, string, Record<string, string>, string]>([
  ['one that is not there', ref('file:./none'), {}, 'the file ./none cannot be read: there is no such file'],
  [
    'one that is too large',
    ref('file:./large'),
    {},
    'the file ./large cannot be read: it is larger than 64 KB',
  ],
  [
    'one that a variable names',
    ref('JWT'),
    { JWT_FILE: '/none' },
    'the file /none, which JWT_FILE names, cannot be read: there is no such file',
  ],
])('%s is refused', async (_, written, env, message) => {
  const { config, diagnostics } = await load(written, env)
  expect(config).toBeUndefined()
  expect(diagnostics).toMatchObject([{ code: 'CFG047', message }])
})

test('its text is a secret, the file is followed, and other contents are another configuration', async () => {
  const before = await load(ref('file:./jwt'))
  expect(before.secrets.texts).toContain('secret-from-a-file')
  expect(before.files).toContain(join(folder, 'jwt'))
  writeFileSync(join(folder, 'jwt'), 'another\n')
  expect((await load(ref('file:./jwt'))).hash).not.toBe(before.hash)
})
