import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadConfig } from '../../../src/config/load-config.ts'
import { maskConfig, printConfig } from '../../../src/config/print-config.ts'

const ref = (name: string) => `\${${name}}`

const object = {
  server: { port: ref('PORT_OF_TEST'), publicUrl: `http://${ref('NAME')}.example.com` },
  contentTypes: {
    article: { info: { description: ref('NAME') }, attributes: { password: 'password', title: ref('TYPE') } },
  },
  plugins: {
    'users-permissions': { config: { jwtSecret: 'written-down', jwt: { expiresIn: '1d' } } },
    email: { config: { provider: 'smtp', providerOptions: { auth: { user: 'u', pass: 'written-down' } } } },
  },
  auth: {
    apiTokens: [{ name: 'a', token: ref('TOKEN') }],
    users: [{ username: 'alice', email: 'a@example.com', password: 'written-down' }],
  },
  data: { article: [{ title: ref('NAME'), password: 'written-down' }] },
}

const env = { PORT_OF_TEST: '4711', NAME: 'name-of-env', TYPE: 'text', TOKEN: 'token-of-env' }

async function printed(format: 'yaml' | 'json', changes: object = {}): Promise<string> {
  const loaded = await loadConfig({ object: { ...object, ...changes } }, { env })
  expect(loaded.diagnostics).toEqual([])
  if (loaded.config === undefined) throw new Error('no configuration')
  const { config, secrets } = loaded
  return format === 'yaml' ? printConfig(config, secrets) : JSON.stringify(maskConfig(config, secrets))
}

describe.each(['yaml', 'json'] as const)('%s', (format) => {
  test('shows the long form', async () => {
    expect(parse(await printed(format))).toMatchObject({
      server: { host: '127.0.0.1', limits: { requestTimeout: 30_000 } },
      contentTypes: {
        'api::article.article': {
          collectionName: 'articles',
          attributes: { password: { type: 'password' } },
        },
      },
    })
  })

  test.each([
    { types: { article: { list: ['title'] } } },
    { edit: true, types: { article: { groups: [{ label: 'All', fields: ['title'] }] } } },
    { edit: false },
  ])('shows the console as it can be loaded again: %j', async (console) => {
    expect(parse(await printed(format, { console }))).toMatchObject({ console })
    expect(parse(await printed(format, { console }))).not.toHaveProperty('looks')
  })

  test('shows nothing of the environment and no secret', async () => {
    const text = await printed(format)
    for (const secret of [...Object.values(env).filter((value) => value !== 'text'), 'written-down']) {
      expect(text).not.toContain(secret)
    }
    expect(parse(text)).toMatchObject({
      server: { port: '***', publicUrl: '***' },
      contentTypes: { 'api::article.article': { info: { description: '***' } } },
      plugins: {
        'users-permissions': { config: { jwtSecret: '***', jwt: { expiresIn: '1d' } } },
        email: { config: { providerOptions: { auth: { user: 'u', pass: '***' } } } },
      },
      auth: { apiTokens: [{ name: 'a', token: '***' }], users: [{ username: 'alice', password: '***' }] },
      data: { article: [{ title: '***', password: '***' }] },
    })
  })

  test('hides how to reach the database', async () => {
    const connection = {
      host: 'db',
      port: 5432,
      database: 'cms',
      user: 'root',
      password: 'x',
      ssl: { ca: 'c', key: 'k' },
    }
    expect(parse(await printed(format, { database: { client: 'postgres', connection } }))).toMatchObject({
      database: {
        connection: {
          host: 'db',
          port: 5432,
          database: 'cms',
          user: '***',
          password: '***',
          ssl: { ca: 'c', key: '***' },
        },
      },
    })
    const url = { client: 'postgres', connection: 'postgres://u:p@h/d' }
    expect(parse(await printed(format, { database: url }))).toMatchObject({ database: { connection: '***' } })
  })
})

test('what an entry takes from the environment is hidden; a seed file takes nothing', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'cms-run-print-'))
  try {
    writeFileSync(join(directory, 'seed.yaml'), `article: [{ title: "${ref('NAME')}", lead: shown }]`)
    const contentTypes = { article: { attributes: { title: 'string', lead: 'string' } } }
    const shownOf = async (data: unknown): Promise<unknown> => {
      const loaded = await loadConfig({ object: { contentTypes, data }, directory }, { env })
      if (loaded.config === undefined) throw new Error('no configuration')
      return parse(printConfig(loaded.config, loaded.secrets)).data.article
    }
    expect(await shownOf({ article: [{ title: ref('NAME'), lead: 'shown' }] })).toEqual([
      { title: '***', lead: 'shown' },
    ])
    expect(await shownOf('./seed.yaml')).toEqual([{ title: `$${ref('NAME')}`, lead: 'shown' }])
  } finally {
    rmSync(directory, { recursive: true })
  }
})
