// Two services on one database: what one takes is gone for the other.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { openServerPlace, type ServerPlace, serversHere } from '../support/servers.ts'
import { accountsConfig, SECRET } from './open-accounts.ts'

describe.each(await serversHere())('over %s', (client) => {
  let place: ServerPlace
  let both: readonly [Cms, Cms]

  beforeAll(async () => {
    place = await openServerPlace(client)
    const config = {
      ...accountsConfig,
      database: place.database,
      plugins: {
        email: true,
        'users-permissions': {
          config: {
            jwtSecret: SECRET,
            ratelimit: { enabled: true, interval: '60s', max: 40 },
            advanced: { email_confirmation: true },
          },
        },
      },
    }
    both = [await createCms(config, { env: {} }), await createCms(config, { env: {} })]
  })
  afterAll(async () => {
    await Promise.all(both.map((cms) => cms.close()))
    await place.drop()
  })

  const post = (cms: Cms, path: string, body: unknown, token?: string): Promise<Response> =>
    cms.fetch(path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    })
  const inLastMail = (cms: Cms, pattern: RegExp): string =>
    pattern.exec(cms.outbox.at(-1)?.text ?? '')?.[1] ?? ''

  test('a code resets a password once, whoever asks', async () => {
    const [one] = both
    for (let round = 0; round < 5; round++) {
      await post(one, '/api/auth/forgot-password', { email: 'alice@example.com' })
      const code = inLastMail(one, /code=([0-9a-f]+)/)
      const answers = await Promise.all(
        [0, 1, 0, 1].map((which, index) => {
          const password = `round ${round} of ${index}`
          const body = { code, password, passwordConfirmation: password }
          return post(both[which as 0 | 1], '/api/auth/reset-password', body)
        }),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400])
    }
  })

  test('a password is changed once by those who know the old one', async () => {
    const login = await post(both[0], '/api/auth/local', { identifier: 'eve', password: 'Passw0rd!eve' })
    const { jwt } = (await login.json()) as { jwt: string }
    const answers = await Promise.all(
      both.map((cms, index) => {
        const password = `a new one ${index}`
        const body = { currentPassword: 'Passw0rd!eve', password, passwordConfirmation: password }
        return post(cms, '/api/auth/change-password', body, jwt)
      }),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    for (const cms of both)
      expect((await cms.fetch('/api/users/me', { headers: { authorization: `Bearer ${jwt}` } })).status).toBe(
        401,
      )
  })

  test('an address is confirmed once', async () => {
    const [one, two] = both
    const registered = { username: 'fresh', email: 'fresh@example.com', password: 'secret1' }
    expect((await post(one, '/api/auth/local/register', registered)).status).toBe(200)
    const code = inLastMail(one, /confirmation=([0-9a-f]+)/)
    const confirm = (cms: Cms) =>
      cms.fetch(`/api/auth/email-confirmation?confirmation=${code}`, { redirect: 'manual' })
    const answers = await Promise.all([confirm(one), confirm(two), confirm(two)])
    expect(answers.map(({ status }) => status).sort()).toEqual([302, 400, 400])
  })

  test('tries are counted together, and not forgotten by a restart', async () => {
    const attempt = async (cms: Cms): Promise<Response> =>
      post(cms, '/api/auth/reset-password', {
        code: 'x',
        password: 'secret1',
        passwordConfirmation: 'secret1',
      })
    const statuses: number[] = []
    for (let n = 0; n < 60; n++) statuses.push((await attempt(both[(n % 2) as 0 | 1])).status)
    // Twenty were tried above.
    expect(statuses.filter((status) => status === 400)).toHaveLength(20)
    expect(statuses.slice(20)).not.toContain(400)
    const refused = await attempt(both[0])
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('tries at once are counted one by one', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        const answer = await post(both[(n % 2) as 0 | 1], '/api/auth/forgot-password', {
          email: 'dave@example.com',
        })
        return answer.status
      }),
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(40)
    expect(statuses.filter((status) => status === 429)).toHaveLength(20)
  })
})
