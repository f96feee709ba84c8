// `cms-run sessions`: an operator lists and ends the sessions of a user while a server goes on.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { runCommand } from '../support/run-command.ts'
import { serversHere } from '../support/servers.ts'
import { openTestDatabase } from '../support/test-database.ts'

const config = {
  plugins: {
    'users-permissions': {
      config: { jwtSecret: 'a secret for tests, long enough for HS256', jwtManagement: 'refresh' },
    },
  },
  contentTypes: { note: { attributes: { text: 'string' } } },
  auth: {
    users: [
      { username: 'alice', email: 'alice@example.com', password: 'Passw0rd!alice' },
      { username: 'bob', email: 'bob@example.com', password: 'Passw0rd!bob' },
    ],
  },
}

const post = async (cms: Cms, path: string, body: object) => {
  const headers = { 'content-type': 'application/json' }
  const response = await cms.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, body: (await response.json()) as { refreshToken: string } }
}
const logIn = async (cms: Cms, name: string, deviceId: string): Promise<string> => {
  const body = { identifier: name, password: `Passw0rd!${name}`, deviceId }
  return (await post(cms, '/api/auth/local', body)).body.refreshToken
}
const refresh = (cms: Cms, refreshToken: string) => post(cms, '/api/auth/refresh', { refreshToken })

const clients = ['sqlite', ...(await serversHere())] as const

describe.each(clients)('over %s', (client) => {
  test('sessions of one user are listed and ended', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'cms-run-sessions-'))
    const database = await openTestDatabase(client)
    const file = join(cwd, 'cms.json')
    await writeFile(file, JSON.stringify({ ...config, ...database.options }))
    const cms = await createCms(file, { env: {} })
    const command = async (...words: string[]) => {
      const { code, out, err } = await runCommand(['sessions', ...words, '--json'], { cwd })
      expect(err).toBe('')
      return { code, ...JSON.parse(out) }
    }
    try {
      const phone = await logIn(cms, 'alice', 'phone')
      const laptop = await logIn(cms, 'alice', 'laptop')
      const other = await logIn(cms, 'bob', 'phone')
      const listed = await command('list', file, '--user', 'Alice@example.com')
      expect(listed.code).toBe(0)
      expect(listed.sessions.map(({ deviceId }: { deviceId: string }) => deviceId).sort()).toEqual([
        'laptop',
        'phone',
      ])
      expect(JSON.stringify(listed)).not.toContain('token')

      const ended = await command('revoke', file, '--user', String(listed.user))
      expect([ended.code, ended.ended]).toEqual([0, 2])
      expect((await refresh(cms, phone)).status).toBe(401)
      expect((await refresh(cms, laptop)).status).toBe(401)
      const next = await refresh(cms, other)
      expect(next.status).toBe(200)
      expect((await refresh(cms, other)).status).toBe(401)
      expect((await refresh(cms, next.body.refreshToken)).status).toBe(401)

      expect((await command('list', file, '--user', 'alice@example.com')).sessions).toEqual([])
      expect((await command('list', file, '--user', 'x@example.com')).code).toBe(1)
    } finally {
      await cms.close()
      await database.drop()
      await rm(cwd, { recursive: true })
    }
  })
})

test('a database in memory and a missing user are told', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'cms-run-sessions-'))
  const file = join(cwd, 'cms.json')
  await writeFile(file, JSON.stringify(config))
  const memory = await runCommand(['sessions', 'list', file, '--user', '1'], { cwd })
  expect([memory.code, memory.err]).toEqual([1, expect.stringContaining('the database is in memory')])
  const nobody = await runCommand(['sessions', 'revoke', file], { cwd })
  expect([nobody.code, nobody.err]).toEqual([2, expect.stringContaining('--user ann@example.com')])
  await rm(cwd, { recursive: true })
})
