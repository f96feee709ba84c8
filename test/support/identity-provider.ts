// A real OpenID provider on this machine, and a client of its pages that types names.

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

export interface Person {
  readonly email?: string
  readonly email_verified?: boolean
}

export interface IdentityProvider {
  readonly issuer: string
  /** Serves logins that lead back to this address. People are known by the name that they type. */
  open(callback: string, people: Readonly<Record<string, Person>>): void
  close(): Promise<void>
}

export const CLIENT = { clientId: 'cms', clientSecret: 'a-secret-of-the-client-of-a-test' }

export async function startIdentityProvider(): Promise<IdentityProvider> {
  let serve: ReturnType<Provider['callback']> | undefined
  const server: Server = createServer((request, response) => {
    if (serve === undefined) response.writeHead(503).end()
    else void serve(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    issuer,
    open(callback, people) {
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: CLIENT.clientId,
            client_secret: CLIENT.clientSecret,
            redirect_uris: [callback],
          },
        ],
        cookies: { keys: ['a key of a test'] },
        claims: { openid: ['sub'], email: ['email', 'email_verified'] },
        pkce: { required: () => true },
        findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...people[sub] }) }),
      })
      serve = provider.callback()
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Follows the provider's pages as this person, and returns the address that leads back. */
export async function logInAt(address: string, person: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let next = new URL(address)
  let form: string | undefined
  for (let step = 0; step < 12; step++) {
    const response = await fetch(next, {
      redirect: 'manual',
      headers: {
        cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
        ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form !== undefined && { method: 'POST', body: form }),
    })
    form = undefined
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      const [name = '', value = ''] = pair.split(/=(.*)/s)
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location !== null) {
      const before = next
      next = new URL(location, before)
      if (next.origin !== before.origin) return next
    } else {
      const page = await response.text()
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1]
      if (prompt === undefined) throw new Error(`the provider shows ${response.status} ${page.slice(0, 500)}`)
      form = new URLSearchParams({
        prompt,
        ...(prompt === 'login' && { login: person, password: 'x' }),
      }).toString()
    }
  }
  throw new Error('the provider does not lead back')
}
