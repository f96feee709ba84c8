// What `token create` prints is what the file takes: a round trip through a running CMS.

import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Io } from '../../../src/cli/io.ts'
import { runCli } from '../../../src/cli/main.ts'
import { createCms } from '../../../src/index.ts'

async function cmsRun(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const written = { out: '', err: '' }
  const io: Io = {
    cwd: '/',
    env: {},
    isTty: false,
    out: (text) => {
      written.out += text
    },
    err: (text) => {
      written.err += text
    },
    onSignal: () => () => {},
    onFault: () => () => {},
  }
  return { code: await runCli(argv, io), ...written }
}

async function statuses(auth: Record<string, unknown>, token: string): Promise<readonly number[]> {
  await using cms = await createCms(
    { contentTypes: { note: { attributes: { text: 'string' } } }, auth },
    { env: {} },
  )
  const authorization = `Bearer ${token}`
  const found = await cms.fetch('/api/notes', { headers: { authorization } })
  const made = await cms.fetch('/api/notes', {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: '{"data":{}}',
  })
  return [found.status, made.status]
}

describe('token create', () => {
  test.each([
    [[], [200, 403]],
    [
      ['--type', 'full-access'],
      [200, 200],
    ],
    [
      ['--type', 'full-access', '--expires', '90d'],
      [200, 200],
    ],
    [
      ['--type', 'custom'],
      [403, 403],
    ],
  ])('%j', async (flags, expected) => {
    const { code, out, err } = await cmsRun('token', 'create', 'front: "end"', ...flags)
    expect([code, err]).toEqual([0, ''])
    const token = out.split('\n')[1] ?? ''
    expect(token).toMatch(/^[\w-]{43}$/)
    const { auth } = parse(out.slice(out.indexOf('auth:'))) as { auth: { apiTokens: [{ name: string }] } }
    expect(auth.apiTokens[0].name).toBe('front: "end"')
    if (flags.includes('custom')) Object.assign(auth.apiTokens[0], { permissions: ['note.update'] })
    expect(await statuses(auth, token)).toEqual(expected)
    expect(await statuses(auth, `${token}x`)).toEqual([401, 401])
  })

  test('as JSON', async () => {
    const { out } = await cmsRun('token', 'create', 'ci', '--expires', '1d', '--json')
    const { token, apiToken } = JSON.parse(out) as { token: string; apiToken: { expiresAt: string } }
    expect(Date.parse(apiToken.expiresAt)).toBeGreaterThan(Date.now())
    expect(await statuses({ apiTokens: [apiToken] }, token)).toEqual([200, 403])
  })

  test('no two are alike', async () => {
    const made = await Promise.all(Array.from({ length: 50 }, () => cmsRun('token', 'create', 'x', '--json')))
    expect(new Set(made.map(({ out }) => (JSON.parse(out) as { token: string }).token)).size).toBe(50)
  })

  test.each([
    [['token', 'create'], 'a token needs a name: cms-run token create front-end'],
    [['token', 'create', 'x', '--type', 'admin'], '--type is read-only, full-access, custom, not "admin"'],
    [['token', 'create', 'x', '--expires', 'soon'], '--expires is a length of time such as 90d, not "soon"'],
    [['token', 'create', 'x', '--expires', '0s'], '--expires is a length of time such as 90d, not "0s"'],
  ])('%j', async (argv, message) => {
    expect(await cmsRun(...argv)).toEqual({ code: 2, out: '', err: `cms-run: ${message}\n` })
  })
})
