// Plugins from outside: files that `plugins` names, which keep to the published contract.

import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Cms, ConfigError, createCms } from '../../src/index.ts'

const example = join(import.meta.dirname, '../../examples/plugin')

function copyExample(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cms-run-plugin-'))
  cpSync(example, folder, { recursive: true })
  return folder
}

async function give(cms: Pick<Cms, 'fetch'>, id: number, stars: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return cms.fetch(`/api/ratings/${id}/stars`, { method: 'POST', headers, body: JSON.stringify({ stars }) })
}

async function readTop(cms: Pick<Cms, 'fetch'>): Promise<unknown> {
  const response = await cms.fetch('/api/ratings/top')
  return ((await response.json()) as { data: unknown }).data
}

describe('the example', () => {
  test('serves its operations, stores its entries and runs its hooks', async () => {
    await using cms = await createCms(join(example, 'cms.yaml'), { env: {} })
    expect((await give(cms, 2, 4)).status).toBe(200)
    expect(await readTop(cms)).toEqual([
      { id: 2, title: 'On rain', votes: 1 },
      { id: 1, title: 'On clouds', votes: 0 },
    ])
    const refused = await give(cms, 2, 6)
    expect(await refused.json()).toMatchObject({
      error: { status: 400, message: 'stars is a whole number from 1 to 5' },
    })
    expect((await give(cms, 99, 1)).status).toBe(404)
    const ratings = await cms.entries('plugin::ratings.rating').findMany({ populate: ['article'] })
    expect(ratings).toMatchObject([{ stars: 4, article: { title: 'On rain' } }])
    expect((await cms.fetch('/api/ratings')).status).toBe(404)
  })

  test('its operations need the permission that the file gives', async () => {
    const file = join(copyExample(), 'cms.yaml')
    writeFileSync(file, readFileSync(file, 'utf8').replace(/ *- plugin::ratings.rating.rate\n/, ''))
    await using cms = await createCms(file, { env: {} })
    expect((await give(cms, 1, 3)).status).toBe(403)
    expect((await cms.fetch('/api/ratings/top')).status).toBe(200)
  })

  test('its code has the global strapi, too', async () => {
    const folder = copyExample()
    const plugin = join(folder, 'ratings.ts')
    const text = readFileSync(plugin, 'utf8')
    const count = "await strapi.entityService.count('plugin::ratings.rating')"
    writeFileSync(plugin, text.replace('return { data: { stars } }', `return { data: { count: ${count} } }`))
    await using cms = await createCms(join(folder, 'cms.yaml'), { env: {} })
    expect(await (await give(cms, 1, 3)).json()).toEqual({ data: { count: 1 } })
  })

  test('an edit of its file takes effect, and one with a fault does not', async () => {
    const folder = copyExample()
    await using cms = await createCms(join(folder, 'cms.yaml'), { env: {} })
    await give(cms, 1, 3)
    const plugin = join(folder, 'ratings.ts')
    const text = readFileSync(plugin, 'utf8')
    writeFileSync(plugin, text.replace('return { data: { stars } }', 'return { data: { given: stars } }'))
    await cms.reload()
    expect(await (await give(cms, 1, 2)).json()).toEqual({ data: { given: 2 } })
    writeFileSync(plugin, text.replace('contract: 1', 'contract: 2'))
    await expect(cms.reload()).rejects.toThrow(/for version 2 of the contract/)
    expect(await (await give(cms, 1, 2)).json()).toEqual({ data: { given: 2 } })
    expect(await cms.entries('plugin::ratings.rating').count()).toBe(3)
  })

  test('a fork has the plugin, and content of its own', async () => {
    await using cms = await createCms(join(example, 'cms.yaml'), { env: {} })
    await using fork = await cms.fork()
    await give(fork, 1, 5)
    expect([await readTop(cms), await readTop(fork)]).toMatchObject([
      [{ votes: 0 }, { votes: 0 }],
      [{ votes: 1 }, { votes: 0 }],
    ])
  })

  test('is off where the file says so', async () => {
    const file = join(copyExample(), 'cms.yaml')
    const text = readFileSync(file, 'utf8')
    writeFileSync(
      file,
      text.replace('maxStars: 5', 'enabled: false').replaceAll(/ *- plugin::ratings.*\n/g, ''),
    )
    await using cms = await createCms(file, { env: {} })
    expect((await cms.fetch('/api/ratings/top')).status).toBe(404)
  })
})

const setting = (text: string): string => `export default { contract: 1, settings: { most: ${text} } }`
const hooks = (text: string): string => `export default { contract: 1, hooks: ${text} }`
const type = (attribute: string): string =>
  `export default { contract: 1, contentTypes: { like: { attributes: { of: ${attribute} } } } }`

/** `config`: the settings in the file. `reports`: what the report says. */
const refused: readonly {
  readonly code: string
  readonly config?: object
  readonly reports: readonly string[]
}[] = [
  { code: 'export const plugin = 1', reports: ['USR003', 'no default export'] },
  { code: 'export default 1', reports: ['USR017', 'a plugin is an object with the key "contract"'] },
  { code: 'export default {}', reports: ['USR017', 'does not say its version'] },
  { code: 'export default { contract: 2 }', reports: ['USR017', 'is for version 2 of the contract'] },
  { code: 'export default { contract: 1, hook() {} }', reports: ['USR017', 'did you mean "hooks"?'] },
  { code: 'export default { contract: 1, operations: {} }', reports: ['"operations" is a list'] },
  {
    code: 'export default { contract: 1, operations: [{ action: "top", method: "GIT", path: "top", handler: 1 }] }',
    reports: [
      'such as "rating.top"',
      '"method" of operations[0] is one of GET',
      'begins with a slash',
      '"handler" of operations[0] is a function',
    ],
  },
  {
    code: setting('{ type: "number", default: "x" }'),
    reports: ['the default of the setting "most" is no number'],
  },
  { code: setting('{ type: "integer" }'), config: { mots: 1 }, reports: ['USR018', 'did you mean "most"?'] },
  {
    code: setting('{ type: "integer" }'),
    config: { most: 1.5 },
    reports: ['"most" must be of type integer'],
  },
  { code: setting('{ type: "string", enum: ["a"] }'), config: { most: 'b' }, reports: ['one of a'] },
  { code: setting('{ type: "string", required: true }'), reports: ['the plugin needs the setting "most"'] },
  {
    code: type('"strnig"'),
    reports: ['plugin::p.like.attributes.of: unknown attribute type "strnig"', '"string"?'],
  },
  {
    code: type('{ type: "relation", relation: "oneToOne", target: "api::gone.gone" }'),
    reports: ['unknown content-type "api::gone.gone"'],
  },
  { code: 'throw new Error("boom")', reports: ['USR002', 'Error: boom'] },
  { code: hooks('() => { throw new Error("no") }'), reports: ['USR009', 'Error: no'] },
  { code: hooks('() => 1'), reports: ['hooks() returns { register, bootstrap, lifecycles }'] },
  {
    code: hooks('() => ({ lifecycles: { gone: {} } })'),
    reports: ['lifecycles of an unknown content-type "gone"'],
  },
]

test.each(refused)('$code with $config is refused', async ({ code, config = {}, reports }) => {
  const folder = mkdtempSync(join(tmpdir(), 'cms-run-plugin-'))
  writeFileSync(join(folder, 'p.ts'), code)
  const file = join(folder, 'cms.yaml')
  const plugins = `{ p: { resolve: ./p.ts, config: ${JSON.stringify(config)} } }`
  writeFileSync(file, `contentTypes: { article: { title: string } }\nplugins: ${plugins}\n`)
  const fault = await createCms(file, { env: {} }).then(
    (cms) => cms.close(),
    (error: unknown) => error,
  )
  expect(fault).toBeInstanceOf(ConfigError)
  for (const report of reports) expect((fault as ConfigError).message).toContain(report)
})
