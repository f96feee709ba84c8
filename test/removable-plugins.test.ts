// A plugin is a folder and a line in the list of plugins: without them the other sources still fit together. Here all
// plugins go at once; with `LONG=1` each goes by itself, and the API cases that do not need it pass without it.

import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import { createCms } from '../src/index.ts'
import { assembleSchema } from '../tools/scripts/assemble-schema.ts'

const root = join(import.meta.dirname, '..')
const entries = await readdir(join(root, 'src/plugins'), { withFileTypes: true })
const plugins = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)

/** What the configurations of test/api need; those with code of the user's are left out. */
const neededBy: Readonly<Record<string, readonly string[]>> = {
  library: [],
  accounts: ['users-permissions'],
  slugs: ['i18n'],
  links: ['graphql'],
  newsroom: ['graphql', 'i18n'],
  bulletin: ['graphql', 'i18n'],
  magazine: ['i18n', 'upload'],
  languages: ['graphql', 'i18n', 'upload'],
  described: ['content-type-builder', 'i18n', 'upload', 'users-permissions'],
}

let folder: string | undefined
afterEach(async () => {
  if (folder !== undefined) await rm(folder, { recursive: true })
  folder = undefined
})

if (process.env['LONG'] === '1') {
  test.each(plugins)(
    'without %s',
    async (plugin) => {
      folder = await copyWithout([plugin])
      expect(await typeFaults(folder)).toBe('')
      const configs = Object.keys(neededBy).filter((config) => !neededBy[config]?.includes(plugin))
      const asked = ['--root', folder, '-t', `configuration (${configs.join('|')}) `, 'test/api/api.test.ts']
      await run('vitest', ['run', ...asked])
    },
    600_000,
  )
} else {
  test('without any plugin', async () => {
    expect(plugins).toContain('graphql')
    folder = await copyWithout(plugins)
    expect(await typeFaults(folder)).toBe('')
    const { properties, definitions } = assembleSchema(join(folder, 'src'))
    expect(definitions['plugins']?.properties).toEqual({})
    expect(properties).not.toHaveProperty('graphql')
  })
}

test('without i18n no content-type has locales, whatever it says', async () => {
  const title = { type: 'string', pluginOptions: { i18n: { localized: true } } }
  const note = { pluginOptions: { i18n: { localized: true } }, attributes: { title } }
  const asked = async (i18n: boolean): Promise<readonly number[]> => {
    await using cms = await createCms(
      {
        plugins: { i18n },
        contentTypes: { note },
        auth: { roles: { public: { permissions: ['api::*.*.*'] } } },
        data: { note: [{ title: 'a' }] },
      },
      { env: {} },
    )
    const json = { 'content-type': 'application/json' }
    const post = { method: 'POST', headers: json, body: '{"title":"b","locale":"fr"}' }
    const answers = [
      await cms.fetch('/api/notes?fields[0]=title'),
      await cms.fetch('/api/notes?filters[locale]=en'),
      await cms.fetch('/api/notes?populate=localizations'),
      await cms.fetch('/api/notes/1/localizations', post),
    ]
    return answers.map(({ status }) => status)
  }
  expect(await asked(true)).toEqual([200, 200, 200, 200])
  expect(await asked(false)).toEqual([200, 400, 400, 404])
})

async function copyWithout(names: readonly string[]): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'cms-run-without-'))
  const files = ['src', 'test/api', 'test/support', 'package.json', 'vitest.config.ts']
  for (const file of files) await cp(join(root, file), join(copy, file), { recursive: true })
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  await writeFile(
    join(copy, 'tsconfig.json'),
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      include: ['src'],
      exclude: ['src/console/browser'],
    }),
  )
  const list = join(copy, 'src/plugins/built-in-plugins.ts')
  let text = await readFile(list, 'utf8')
  for (const name of names) {
    await rm(join(copy, 'src/plugins', name), { recursive: true })
    const [line, plugin] = new RegExp(`^import \\{ (\\w+) \\} from '\\./${name}/.*\\n`, 'm').exec(text) ?? []
    if (line === undefined) throw new Error(`${name} is not in the list`)
    text = text.replace(line, '').replace(new RegExp(`^ *${plugin},\\n`, 'm'), '')
  }
  await writeFile(list, text)
  return copy
}

async function typeFaults(copy: string): Promise<string> {
  return run('tsc', ['--noEmit', '-p', copy]).then(
    () => '',
    (error: { readonly stdout: string }) => error.stdout,
  )
}

function run(command: string, parameters: readonly string[]) {
  return promisify(execFile)(join(root, 'node_modules/.bin', command), parameters, { cwd: root })
}
