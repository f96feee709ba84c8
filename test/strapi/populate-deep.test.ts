// Projects with a plugin that populates everything: the import sets `rest.populateDeep`.

import { expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'
import { importProject, listRoles, ORDERS } from './project-fixtures.ts'

const packageWith = (plugin: string, version = '4.25.0'): string =>
  JSON.stringify({ dependencies: { '@strapi/strapi': version, [plugin]: '3.0.1' } })
const FOUR = 'strapi-plugin-populate-deep'
const FIVE = 'strapi-v5-plugin-populate-deep'
const settingsOf = (plugin: string, settings: string): string =>
  `module.exports = ({ env }) => ({ '${plugin}': ${settings} })`

test.each<readonly [name: string, files: Readonly<Record<string, string>>, levels: number | undefined]>([
  ['no plugin', {}, undefined],
  ['the plugin for Strapi 4', { 'package.json': packageWith(FOUR) }, 5],
  ['the plugin for Strapi 5', { 'package.json': packageWith(FIVE, '5.10.0') }, 5],
  [
    'its depth',
    {
      'package.json': packageWith(FOUR),
      'config/plugins.js': settingsOf(FOUR, "{ config: { defaultDepth: env.int('DEPTH', 3) } }"),
    },
    3,
  ],
  [
    'a depth above the maximum',
    {
      'package.json': packageWith(FOUR),
      'config/plugins.js': settingsOf(FOUR, '{ enabled: true, config: { defaultDepth: 20 } }'),
    },
    10,
  ],
  [
    'a depth that is code',
    {
      'package.json': packageWith(FIVE, '5.10.0'),
      'config/plugins.js': settingsOf(FIVE, '{ config: { defaultDepth: depth() } }'),
    },
    5,
  ],
  [
    'a plugin that is off',
    {
      'package.json': packageWith(FOUR),
      'config/plugins.js': settingsOf(FOUR, '{ enabled: false }'),
    },
    undefined,
  ],
])('%s', async (_name, files, levels) => {
  const { written, err } = await importProject({ ...ORDERS, ...files })
  expect(written.rest.populateDeep).toBe(levels)
  if (levels !== undefined) expect(err).toContain(`requests get at most ${levels} levels`)
  if (_name.startsWith('a depth')) expect(err).toContain(`rest.populateDeep is ${levels}`)
})

test('the imported project answers populate=deep', async () => {
  const { file } = await importProject({
    ...ORDERS,
    'package.json': packageWith(FOUR),
    'config/sync/user-role.public.json': listRoles(['find']),
  })
  await using cms = await createCms(file, { env: { JWT_SECRET: 'x' } })
  expect((await cms.fetch('/api/orders?populate=deep')).status).toBe(200)
  expect((await cms.fetch('/api/orders?populate=deep,x')).status).toBe(400)
})
