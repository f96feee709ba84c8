// Names and addresses of users are one line that can be shown, whichever way they come; so is what stands in a mail's headers.

import { afterEach, describe, expect, test } from 'vitest'
import { assertHeaders, MAIL_HEADERS } from '../../src/plugins/mailer.ts'
import { type Asking, accountsConfig, openAccounts } from './open-accounts.ts'

const opened: Asking[] = []
afterEach(async () => {
  for (const { cms } of opened.splice(0)) await cms.close()
})
async function open(): Promise<Asking> {
  const ask = await openAccounts({ plugins: { ...accountsConfig.plugins, graphql: true } })
  opened.push(ask)
  return ask
}

const USER = 'plugin::users-permissions.user'
const rows = [
  { name: 'username', value: 'a\u001b[31mbc', message: 'username must not hold control characters' },
  { name: 'username', value: 'abc\u0000', message: 'username must not hold control characters' },
  { name: 'username', value: 'abc\u2029', message: 'username must not hold control characters' },
  { name: 'email', value: 'a\u0001b@x.io', message: 'email must be a valid email' },
  { name: 'email', value: 'ab@x.io\r\nBcc: c@x.io', message: 'email must be a valid email' },
] as const
const registered = { username: 'newcomer', email: 'new@x.io', password: 'secret1' }
const made = { ...registered, role: 1 }

describe.each(rows)('$name $value', ({ name, value, message }) => {
  const fault = { error: { name: 'ValidationError', message, details: { errors: [{ path: [name] }] } } }

  test('over REST', async () => {
    const { post, send } = await open()
    const bad = { ...made, [name]: value }
    expect(await post('/api/auth/local/register', { ...registered, [name]: value })).toMatchObject({
      status: 400,
      body: fault,
    })
    expect(await post('/api/users', bad, 'full-token')).toMatchObject({ status: 400, body: fault })
    expect(await send('PUT', '/api/users/1', { [name]: value }, 'full-token')).toMatchObject({
      status: 400,
      body: fault,
    })
  })

  test('over GraphQL', async () => {
    const { post, cms } = await open()
    const asked = [
      ['UsersPermissionsRegisterInput!', 'register(input: $x) { jwt }', { ...registered, [name]: value }],
      [
        'UsersPermissionsUserInput!',
        'createUsersPermissionsUser(data: $x) { data { id } }',
        { ...made, [name]: value },
      ],
      [
        'UsersPermissionsUserInput!',
        'updateUsersPermissionsUser(id: 1, data: $x) { data { id } }',
        { [name]: value },
      ],
    ] as const
    for (const [type, field, x] of asked) {
      const body = { query: `mutation ($x: ${type}) { ${field} }`, variables: { x } }
      const { body: answer } = await post('/graphql', body, 'full-token')
      expect(answer).toMatchObject({ errors: [{ message, extensions: { error: fault.error } }] })
    }
    expect(await cms.entries(USER).count()).toBe(4)
  })
})

test('the code of the author is held to it, too', async () => {
  const { cms } = await open()
  const update = cms.entries(USER).update(1, { email: 'a\u001bb@x.io' })
  await expect(update).rejects.toThrow('email must be a valid email')
})

test.each(MAIL_HEADERS)('no mail has a %s of two lines', (name) => {
  const mail = { to: 'a@x.io', subject: 'Hello', text: 'a\r\nb' }
  expect(() => assertHeaders(mail)).not.toThrow()
  expect(() => assertHeaders({ ...mail, [name]: 'a@x.io\r\nBcc: b@x.io' })).toThrow(
    `${name} must be one line`,
  )
})
