// `cms-run users`: an operator lists users, makes one, and gives passwords and roles, while a server goes on.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { type CommandOutcome, runCommand } from '../support/run-command.ts'
import { serversHere } from '../support/servers.ts'
import { takeLeaks } from '../support/taint/trap.ts'
import { openTestDatabase } from '../support/test-database.ts'

const config = {
  events: { users: true },
  plugins: {
    'users-permissions': {
      config: { jwtSecret: 'a secret for tests, long enough for HS256', jwtManagement: 'refresh' },
    },
  },
  contentTypes: { note: { attributes: { text: 'string' } } },
  auth: {
    roles: {
      editor: { extends: [], permissions: ['note.find', 'plugin::users-permissions.user.find'] },
      writer: { extends: [], permissions: ['note.create'] },
    },
    users: [{ username: 'alice', email: 'alice@example.com', password: 'Passw0rd!alice', role: 'writer' }],
  },
}

interface LoggedIn {
  readonly jwt: string
  readonly refreshToken: string
}

const post = async (cms: Cms, path: string, body: object): Promise<{ status: number; body: LoggedIn }> => {
  const headers = { 'content-type': 'application/json' }
  const response = await cms.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, body: (await response.json()) as LoggedIn }
}
const logIn = (cms: Cms, identifier: string, password: string) =>
  post(cms, '/api/auth/local', { identifier, password })

type Given = Parameters<typeof runCommand>[1]

const clients = ['sqlite', ...(await serversHere())] as const

describe.each(clients)('over %s', (client) => {
  let cwd: string
  let file: string
  let database: Awaited<ReturnType<typeof openTestDatabase>>
  let cms: Cms

  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'cms-run-users-'))
    database = await openTestDatabase(client)
    file = join(cwd, 'cms.json')
    await writeFile(file, JSON.stringify({ ...config, ...database.options }))
    cms = await createCms(file, { env: {} })
  })
  afterEach(async () => {
    await cms.close()
    await database.drop()
    await rm(cwd, { recursive: true })
  })

  const users = (line: string, given: Omit<Given, 'cwd'> = {}): Promise<CommandOutcome> =>
    runCommand(['users', ...line.split(' ').flatMap((word) => (word === 'FILE' ? [file] : [word]))], {
      cwd,
      ...given,
    })
  const json = async (line: string, given: Omit<Given, 'cwd'> = {}) => {
    const { out, err } = await users(`${line} --json`, given)
    expect(err).toBe('')
    return JSON.parse(out)
  }
  const refused = async (line: string, given: Omit<Given, 'cwd'> = {}): Promise<string> => {
    const { code, out, err } = await users(line, given)
    expect([code, out]).toEqual([1, ''])
    return err.replace('cms-run: ', '').trim()
  }
  const ann = 'create FILE --username ann --email Ann@Example.com --role editor'

  test('a user that is made logs in with the password of standard input', async () => {
    const made = await users(ann, { input: 'correct horse\n' })
    expect(made).toEqual({ code: 0, out: expect.stringContaining('is made, with the role editor'), err: '' })
    const { status, body } = await logIn(cms, 'ann@example.com', 'correct horse')
    expect(status).toBe(200)
    const headers = { authorization: `Bearer ${body.jwt}` }
    const listed = (await (await cms.fetch('/api/users', { headers })).json()) as { username: string }[]
    expect(listed.map(({ username }) => username).sort()).toEqual(['alice', 'ann'])
    expect((await users('FILE')).out).toMatch(
      /^\d+ {2}alice {2}alice@example\.com {2}writer\n\d+ {2}ann {2}ann@example\.com {2}editor\n$/,
    )
    expect((await json('list FILE')).users).toEqual([
      expect.objectContaining({ username: 'alice', role: 'writer', blocked: false, confirmed: true }),
      expect.objectContaining({ username: 'ann', email: 'ann@example.com', role: 'editor' }),
    ])
  })

  test('a terminal asks for the password twice', async () => {
    expect(await refused(ann, { secrets: ['correct horse', 'correct house'] })).toContain('differ')
    expect(await refused(ann, { secrets: [''] })).toContain('no password was given')
    expect((await users(ann, { secrets: ['correct horse', 'correct horse'] })).code).toBe(0)
    expect((await logIn(cms, 'ann', 'correct horse')).status).toBe(200)
  })

  test('a password that is made is shown once', async () => {
    const { password, user } = await json(`${ann} --generate`)
    expect(password).toMatch(/^[\w-]{24}$/)
    expect(user).toEqual({
      ...{ id: expect.any(Number), username: 'ann', email: 'ann@example.com', role: 'editor' },
    })
    expect((await logIn(cms, 'ann', password)).status).toBe(200)
    const { out } = await users('password FILE --user ann --generate')
    const [, next = ''] = out.split('\n')
    expect((await logIn(cms, 'ann', password)).status).toBe(400)
    expect((await logIn(cms, 'ann', next)).status).toBe(200)
    // The output of the two commands is the one place that shows them.
    expect(takeLeaks().map(({ where }) => where)).toEqual(['command', 'command'])
  })

  test('a new password ends tokens and sessions', async () => {
    const { body } = await logIn(cms, 'alice', 'Passw0rd!alice')
    const create = () =>
      cms.fetch('/api/notes', {
        method: 'POST',
        headers: { authorization: `Bearer ${body.jwt}`, 'content-type': 'application/json' },
        body: '{ "data": { "text": "x" } }',
      })
    expect((await create()).ok).toBe(true)
    const changed = await users('password FILE --user Alice@example.com', { input: 'another one' })
    expect(changed).toMatchObject({ code: 0, err: '' })
    expect((await create()).status).toBe(401)
    const { refreshToken } = body
    expect((await post(cms, '/api/auth/refresh', { refreshToken })).status).toBe(401)
    expect((await logIn(cms, 'alice', 'another one')).status).toBe(200)
  })

  test('another role holds for the next request', async () => {
    const { body } = await logIn(cms, 'alice', 'Passw0rd!alice')
    const find = async () =>
      (await cms.fetch('/api/notes', { headers: { authorization: `Bearer ${body.jwt}` } })).status
    expect(await find()).toBe(403)
    expect((await json('role FILE --user alice --role editor')).user).toMatchObject({ role: 'editor' })
    expect(await find()).toBe(200)
    expect((await json('FILE')).users).toMatchObject([{ username: 'alice', role: 'editor' }])
  })

  test('a role that the file has since the server began may be given', async () => {
    const roles = { ...config.auth.roles, guest: { extends: [], permissions: [] } }
    await writeFile(file, JSON.stringify({ ...config, ...database.options, auth: { ...config.auth, roles } }))
    expect((await json('role FILE --user alice --role guest')).user).toMatchObject({ role: 'guest' })
  })

  test('hooks and events take part', async () => {
    const uid = 'plugin::users-permissions.user'
    await writeFile(
      join(cwd, 'hooks.mjs'),
      `export const lifecycles = { '${uid}': { beforeCreate({ params: { data } }) {
        data.username += ' the ' + strapi.contentType('${uid}').info.singularName } } }`,
    )
    await writeFile(file, JSON.stringify({ ...config, ...database.options, extensions: './hooks.mjs' }))
    const heard: string[] = []
    const end = await cms.on('*', ({ action, type }) => heard.push(`${action} ${type}`))
    expect(await users(ann, { input: 'correct horse' })).toMatchObject({ code: 0, err: '' })
    expect((await json('FILE')).users).toMatchObject([{ username: 'alice' }, { username: 'ann the user' }])
    // A file tells nobody of what other processes write, so a write of this one follows.
    await cms.entries('note').create({ text: 'x' })
    await vi.waitFor(() => expect(heard).toEqual(['create user', 'create note']), {
      timeout: 60_000,
    })
    end()
  })

  test('what the API refuses is refused, and nothing is made', async () => {
    const input = 'correct horse'
    expect(await refused(ann.replace('editor', 'editr'), { input })).toBe(
      'unknown role "editr", did you mean "editor"? The roles are authenticated, editor, public, writer',
    )
    expect(await refused(ann.replace('editor', 'chief'), { input })).toBe(
      'unknown role "chief"; the roles are authenticated, editor, public, writer',
    )
    expect(await refused(ann.replace('ann ', 'alice '), { input })).toMatch(
      /^the username "alice" is taken, by user \d+$/,
    )
    expect(await refused(ann.replace('Ann@', 'Alice@'), { input })).toMatch(
      /^the e-mail address is taken, by user \d+ \(alice\)$/,
    )
    // A login could mean either user.
    expect(await refused(ann.replace('ann ', 'alice@example.com '), { input })).toBe('Username already taken')
    expect(await refused(ann.replace('ann ', 'an '), { input })).toContain('at least 3 characters')
    expect(await refused(ann.replace('@Example.com', ''), { input })).toContain('valid email')
    expect(await refused(ann, { input: 'short' })).toContain('at least 6 characters')
    expect(await refused(ann, { input: 'x'.repeat(2000) })).toContain('at most 1024 bytes')
    expect(await refused(ann, { input: 'two\nlines' })).toContain('one line')
    expect(await refused(ann, {})).toContain('--generate')
    expect(await refused('password FILE --user bob', { input })).toBe('the database has no user "bob"')
    expect(await refused('role FILE --user alice --role editr')).toContain('did you mean "editor"?')
    expect((await json('FILE')).users).toHaveLength(1)
  })

  test('tables of another file are told', async () => {
    const contentTypes = { note: { attributes: { text: 'string', more: 'string' } } }
    await writeFile(file, JSON.stringify({ ...config, ...database.options, contentTypes }))
    expect(await refused(ann, { input: 'correct horse' })).toContain('start the server once')
  })
})

test('a database in memory, and flags that are missing or wrong, are told', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'cms-run-users-'))
  const file = join(cwd, 'cms.json')
  await writeFile(file, JSON.stringify(config))
  const fault = async (...argv: string[]) => {
    const { code, err } = await runCommand(['users', ...argv], { cwd })
    return [code, err.replace('cms-run: ', '').trim()]
  }
  const inMemory = [1, expect.stringContaining('the database is in memory')]
  expect(await fault(file)).toEqual(inMemory)
  expect(await fault('password', file, '--user', '1')).toEqual(inMemory)
  expect(await fault('create', file, '--username', 'ann')).toEqual([
    2,
    'users create needs --email ann@example.com --role editor',
  ])
  expect(await fault('creat')).toEqual([2, expect.stringContaining('did you mean "users create"?')])
  expect(await fault('list', '--role', 'editor')).toEqual([2, '--role is not for "cms-run users list"'])
  const secret = await fault('password', '--user', 'ann', '--password', 'hush')
  expect(secret).toEqual([2, expect.stringContaining('history of the shell')])
  expect(secret[1]).not.toContain('hush')
  await rm(cwd, { recursive: true })
})
