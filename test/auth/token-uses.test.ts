// When an API token was last used: kept where several processes keep their content, shown by `cms-run token list`.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCli } from '../../src/cli/main.ts'
import { createCms } from '../../src/index.ts'
import { serversHere } from '../support/servers.ts'
import { openTestDatabase } from '../support/test-database.ts'

const config = {
  contentTypes: { note: { attributes: { text: 'string' } } },
  auth: {
    apiTokens: [
      { name: 'front-end', type: 'read-only', token: 'front-end-token-canary' },
      { name: 'idle', type: 'full-access', token: 'idle-token-canary', expiresAt: '2020-01-01T00:00:00Z' },
    ],
  },
} as const

async function tokenList(
  file: string,
  ...flags: string[]
): Promise<{ code: number; out: string; err: string }> {
  const written = { out: '', err: '' }
  const code = await runCli(['token', 'list', file, ...flags], {
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
  })
  return { code, ...written }
}

async function inFile(settings: object, use: (file: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'cms-run-tokens-'))
  const file = join(folder, 'cms.json')
  await writeFile(file, JSON.stringify({ ...config, ...settings }))
  try {
    await use(file)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const asked = (token: string) => ['/api/notes', { headers: { authorization: `Bearer ${token}` } }] as const

test('in memory nobody else can know', async () => {
  await inFile({}, async (file) => {
    const { code, out } = await tokenList(file)
    expect(code).toBe(0)
    expect(out).toBe(
      [
        'name       type         expires                         last used',
        'front-end  read-only    never                           unknown (database in memory)',
        'idle       full-access  2020-01-01T00:00:00Z (expired)  unknown (database in memory)',
        '',
      ].join('\n'),
    )
  })
})

test('a file without tokens, and one that is wrong', async () => {
  await inFile({ auth: {} }, async (file) => {
    expect(await tokenList(file)).toEqual({ code: 0, out: 'the file declares no API tokens\n', err: '' })
  })
  await inFile({ auth: { apiTokens: 3 } }, async (file) => {
    expect(await tokenList(file)).toMatchObject({ code: 1, out: '' })
  })
})

const clients = ['sqlite', ...(await serversHere())] as const

describe.each(clients)('over %s', (client) => {
  test('a use is seen by another process; a refused token was not used', async () => {
    const {
      options: { database },
      drop,
    } = await openTestDatabase(client)
    try {
      await inFile({ database }, async (file) => {
        const usesOf = async () =>
          (
            JSON.parse((await tokenList(file, '--json')).out) as {
              tokens: { lastUsedAt: string | null }[]
            }
          ).tokens.map(({ lastUsedAt }) => lastUsedAt)
        expect(await usesOf()).toEqual([null, null])
        const before = Date.now()
        const cms = await createCms(file, { env: {} })
        expect((await cms.fetch(...asked('front-end-token-canary'))).status).toBe(200)
        expect((await cms.fetch(...asked('idle-token-canary'))).status).toBe(401)
        // While it serves, and when it has ended.
        await expect.poll(usesOf).toEqual([expect.any(String), null])
        await cms.close()
        const [used, idle] = await usesOf()
        expect(Date.parse(used ?? '')).toBeGreaterThanOrEqual(before)
        expect(Date.parse(used ?? '')).toBeLessThanOrEqual(Date.now())
        expect(idle).toBeNull()
        expect((await tokenList(file)).out).toContain(
          `front-end  read-only    never                           ${used}`,
        )
      })
    } finally {
      await drop()
    }
  })
})
