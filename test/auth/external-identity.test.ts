// Tokens of an OpenID provider: a local issuer signs them, and everything that is wrong with one is refused.

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'

type Keys = Awaited<ReturnType<typeof generateKeyPair>>

let server: Server
let issuer: string
let keys: Keys
let others: Keys
/** What the issuer answers; `failing`: the end of the address whose answer is an error. */
let published: Keys[]
let failing: string | undefined
let described: Record<string, unknown>
let asked: string[]

beforeAll(async () => {
  ;[keys, others] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')])
  server = createServer(async (request, response) => {
    asked.push(request.url ?? '')
    if (failing !== undefined && request.url?.endsWith(failing)) return void response.writeHead(500).end()
    if (request.url?.endsWith('/openid-configuration')) return void response.end(JSON.stringify(described))
    const jwks = await Promise.all(
      published.map(async ({ publicKey }, at) => ({
        ...(await exportJWK(publicKey)),
        kid: `k${at}`,
        alg: 'ES256',
      })),
    )
    response.end(JSON.stringify({ keys: jwks }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/realms/a`
})
afterAll(() => server.close())

const opened: Cms[] = []
afterEach(async () => {
  for (const cms of opened.splice(0)) await cms.close()
})

async function open(provider: object = {}): Promise<Cms> {
  published = [keys]
  failing = undefined
  asked = []
  described = { issuer, jwks_uri: `${issuer}/keys` }
  const config = {
    contentTypes: { article: { attributes: { title: 'string' } }, note: { attributes: { text: 'string' } } },
    auth: {
      roles: {
        public: { permissions: ['article.find'] },
        authenticated: { permissions: ['article.find'] },
        editor: { permissions: ['article.find', 'note.find'] },
      },
      providers: { keycloak: { issuer, audience: 'cms', roles: 'realm_access.roles', ...provider } },
    },
  }
  const cms = await createCms(config, { env: {}, testing: true })
  opened.push(cms)
  return cms
}

function sign(
  claims: JWTPayload = {},
  { key = keys, kid = 'k0', expires = '5m' }: { key?: Keys; kid?: string; expires?: string | undefined } = {},
): Promise<string> {
  return new SignJWT({ iss: issuer, aud: 'cms', sub: 'u1', ...claims })
    .setProtectedHeader({ alg: 'ES256', kid })
    .setIssuedAt()
    .setExpirationTime(expires)
    .sign(key.privateKey)
}

async function status(cms: Cms, path: string, token: string): Promise<number> {
  return (await cms.fetch(path, { headers: { authorization: `Bearer ${token}` } })).status
}

test('the claim names the role; the keys are fetched once', async () => {
  const cms = await open()
  const editor = await sign({ realm_access: { roles: ['offline_access', 'editor'] } })
  expect(await status(cms, '/api/notes', editor)).toBe(200)
  expect(await status(cms, '/api/articles', editor)).toBe(200)
  const reader = await sign({ realm_access: { roles: ['unheard-of', 'public'] } })
  expect(await status(cms, '/api/articles', reader)).toBe(200)
  expect(await status(cms, '/api/notes', reader)).toBe(403)
  expect(await status(cms, '/api/notes', await sign())).toBe(403)
  expect(asked).toEqual(['/realms/a/.well-known/openid-configuration', '/realms/a/keys'])
})

test('a claim of text, a list of audiences, the address of the keys, another role for the rest', async () => {
  const cms = await open({
    roles: 'scope',
    audience: ['x', 'cms'],
    jwks: `${issuer}/keys`,
    defaultRole: 'none',
  })
  expect(await status(cms, '/api/notes', await sign({ scope: 'openid editor' }))).toBe(200)
  // The file declares no role "none".
  expect(await status(cms, '/api/articles', await sign({ scope: 'openid' }))).toBe(401)
  expect(asked).toEqual(['/realms/a/keys'])
})

test('everything else is refused', async () => {
  const cms = await open()
  const editor = { realm_access: { roles: ['editor'] } }
  const good = await sign(editor)
  const [head = '', , signature = ''] = good.split('.')
  const forged = Buffer.from(JSON.stringify({ iss: issuer, aud: 'cms', sub: 'u1', exp: 4e9, ...editor }))
  const none = Buffer.from('{"alg":"none"}').toString('base64url')
  const secret = new TextEncoder().encode('a-secret-of-forty-characters-for-the-test')
  const shared = new SignJWT({ iss: issuer, aud: 'cms', sub: 'u1', ...editor }).setProtectedHeader({
    alg: 'HS256',
  })
  const refused = {
    'another audience': await sign({ ...editor, aud: 'other' }),
    'no audience': await sign({ ...editor, aud: undefined as never }),
    'another issuer': await sign({ ...editor, iss: `${issuer}/b` }),
    'a subject that is no text': await sign({ ...editor, sub: { toString: 1 } as never }),
    'no subject': await sign({ ...editor, sub: undefined as never }),
    expired: await sign(editor, { expires: '-2m' }),
    'signed by somebody else': await sign(editor, { key: others }),
    'a key that is not there': await sign(editor, { kid: 'k7' }),
    'claims that were not signed': `${head}.${forged.toString('base64url')}.${signature}`,
    'no signature': `${none}.${forged.toString('base64url')}.`,
    'a shared secret': await shared.setExpirationTime('5m').sign(secret),
    'too long': `${good}${'x'.repeat(20_000)}`,
  }
  for (const [what, token] of Object.entries(refused))
    expect([what, await status(cms, '/api/articles', token)]).toEqual([what, 401])
  expect(await status(cms, '/api/notes', good)).toBe(200)
  // A key that nobody has is not asked for again and again.
  expect(asked.filter((url) => url.endsWith('/keys'))).toHaveLength(1)
})

test.each(['/openid-configuration', '/keys'])(
  'while %s fails, tokens are a 503, and make the server ask once every half minute',
  async (address) => {
    const cms = await open()
    failing = address
    const token = await sign({ realm_access: { roles: ['editor'] } })
    const failed = () => asked.filter((url) => url.endsWith(address)).length
    const refused = await cms.fetch('/api/notes', { headers: { authorization: `Bearer ${token}` } })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30'])
    const unsigned = `${token.split('.').slice(0, 2).join('.')}.x`
    for (const one of [token, unsigned, await sign({}, { kid: 'k7' })])
      expect(await status(cms, '/api/notes', one)).toBe(503)
    expect(failed()).toBe(1)
    expect(await status(cms, '/api/notes', 'some-other-token')).toBe(401)
    expect((await cms.fetch('/api/articles')).status).toBe(200)
    cms.advance('30s')
    expect(await status(cms, '/api/notes', token)).toBe(503)
    expect(failed()).toBe(2)
    failing = undefined
    cms.advance('29s')
    expect(await status(cms, '/api/notes', token)).toBe(503)
    cms.advance('1s')
    expect(await status(cms, '/api/notes', token)).toBe(200)
  },
)

test('keys are believed while the provider fails, and tokens with unknown keys do not make it asked more often', async () => {
  const cms = await open()
  const token = () => sign({ realm_access: { roles: ['editor'] } })
  const requests = () => asked.filter((url) => url.endsWith('/keys')).length
  expect(await status(cms, '/api/notes', await token())).toBe(200)
  failing = '/keys'
  const unknown = await sign({}, { kid: 'k7', expires: '1h' })
  expect(await status(cms, '/api/articles', unknown)).toBe(401)
  const known = await sign({ realm_access: { roles: ['editor'] } }, { expires: '1h' })
  cms.advance('11min')
  for (let count = 0; count < 5; count++) {
    expect(await status(cms, '/api/notes', known)).toBe(200)
    expect(await status(cms, '/api/articles', unknown)).toBe(503)
  }
  expect(requests()).toBe(2)
  failing = undefined
  published = [keys, others]
  cms.advance('30s')
  const added = await sign({ realm_access: { roles: ['editor'] } }, { key: others, kid: 'k1', expires: '1h' })
  expect(await status(cms, '/api/notes', added)).toBe(200)
  expect(await status(cms, '/api/articles', unknown)).toBe(401)
  expect(requests()).toBe(3)
})

test('a description of another issuer, or of keys without TLS, is not believed', async () => {
  const token = await sign({ realm_access: { roles: ['editor'] } })
  for (const wrong of [{ issuer: 'https://evil.example' }, { jwks_uri: 'http://evil.example/keys' }]) {
    const cms = await open()
    described = { ...described, ...wrong }
    expect(await status(cms, '/api/notes', token)).toBe(503)
  }
})

test('an issuer without TLS is refused in the file', async () => {
  await expect(open({ issuer: 'http://id.example.com' })).rejects.toThrow('an issuer is a URL with https://')
})
