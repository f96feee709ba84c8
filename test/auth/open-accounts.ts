// A CMS with users for the tests of accounts, and shorthands to ask it.

import { type Cms, type CmsOptions, createCms } from '../../src/index.ts'

export const SECRET = 'a secret for tests, long enough for HS256'

export const accountsConfig = {
  server: { publicUrl: 'https://cms.example' },
  contentTypes: {
    note: {
      attributes: { text: 'string', hidden: { type: 'string', private: true } },
    },
    'plugin::users-permissions.user': {
      attributes: {
        nickname: 'string',
        iban: { type: 'string', private: true },
        notes: { type: 'relation', relation: 'oneToMany', target: 'api::note.note' },
      },
    },
  },
  plugins: {
    email: true,
    'users-permissions': {
      config: { jwtSecret: SECRET, ratelimit: { enabled: false }, register: { allowedFields: ['nickname'] } },
    },
  },
  auth: {
    roles: {
      public: { permissions: ['plugin::users-permissions.auth.*'] },
      authenticated: {
        permissions: [
          'note.find',
          'plugin::users-permissions.user.me',
          'plugin::users-permissions.auth.changePassword',
        ],
      },
      editor: { name: 'Editor', permissions: ['note.*', 'plugin::users-permissions.*'] },
    },
    apiTokens: [{ name: 'full', type: 'full-access', token: 'full-token' }],
    users: [
      { username: 'alice', email: 'Alice@Example.com', password: 'Passw0rd!alice' },
      { username: 'eve', email: 'eve@example.com', password: 'Passw0rd!eve', role: 'editor' },
      { username: 'dave', email: 'dave@example.com', password: 'Passw0rd!dave', blocked: true },
      { username: 'nobody', email: 'nobody@example.com' },
    ],
  },
} as const

export interface Answered {
  readonly status: number
  readonly body: unknown
}

export interface Asking {
  readonly cms: Cms
  get(path: string, token?: string): Promise<Answered>
  post(path: string, body: unknown, token?: string): Promise<Answered>
  send(method: string, path: string, body: unknown, token?: string): Promise<Answered>
  /** The token of a login; fails when it is refused. */
  logIn(identifier: string, password: string): Promise<string>
}

/** `changes` replaces sections of the configuration. */
export async function openAccounts(
  changes: Readonly<Record<string, unknown>> = {},
  log?: (line: string) => void,
  options: Pick<CmsOptions, 'lifecycles' | 'database'> = {},
): Promise<Asking> {
  const cms = await createCms(
    { ...accountsConfig, ...changes },
    { env: {}, ...options, ...(log === undefined ? {} : { log }) },
  )
  const send = async (method: string, path: string, body: unknown, token?: string): Promise<Answered> => {
    const response = await cms.fetch(path, {
      method,
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  return {
    cms,
    send,
    get: (path, token) => send('GET', path, undefined, token),
    post: (path, body, token) => send('POST', path, body, token),
    async logIn(identifier, password) {
      const { status, body } = await send('POST', '/api/auth/local', { identifier, password })
      if (status !== 200) throw new Error(`login refused: ${JSON.stringify(body)}`)
      return (body as { jwt: string }).jwt
    },
  }
}

/** The settings of users-permissions with some of `advanced` changed. */
export function withAdvanced(advanced: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { config } = accountsConfig.plugins['users-permissions']
  return { plugins: { email: true, 'users-permissions': { config: { ...config, advanced } } } }
}
