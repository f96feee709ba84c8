// An archive with content-types of plugins, such as menus: those with entries are imported as plain content-types.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createCms } from '../../src/index.ts'
import { newFolder } from '../archive/in-file.ts'
import { runCommand } from '../support/run-command.ts'
import { packExport } from './strapi-fixtures.ts'

const type = (uid: string, plural: string, attributes: object) => ({
  uid,
  modelType: 'contentType',
  kind: 'collectionType',
  collectionName: plural.replaceAll('-', '_'),
  info: { singularName: uid.split('.')[1], pluralName: plural, displayName: plural },
  options: { draftAndPublish: false },
  attributes,
})
const relation = (kind: string, target: string, more: object = {}) => ({
  type: 'relation',
  relation: kind,
  target,
  ...more,
})

const ITEM = 'plugin::menus.menu-item'
const SCHEMAS = [
  type('plugin::menus.menu', 'menus', {
    title: { type: 'string' },
    items: relation('oneToMany', ITEM, { mappedBy: 'root_menu' }),
  }),
  type(ITEM, 'menu-items', {
    title: { type: 'string' },
    root_menu: relation('manyToOne', 'plugin::menus.menu', { inversedBy: 'items' }),
  }),
  type('plugin::comments.comment', 'comments', { text: { type: 'string' } }),
  type('api::page.page', 'pages', {
    title: { type: 'string' },
    menu: relation('oneToOne', 'plugin::menus.menu'),
  }),
]
const link = (left: object, right: object) => ({ kind: 'relation.basic', relation: 'manyToOne', left, right })

test('they have their entries and links, and the report says that their plugin is missing', async () => {
  const cwd = newFolder()
  const archive = await packExport(join(cwd, 'export.tar.gz'), {
    schemas: SCHEMAS,
    entities: [
      { type: 'plugin::menus.menu', id: 1, data: { title: 'Main' } },
      { type: ITEM, id: 1, data: { title: 'Home' } },
      { type: ITEM, id: 2, data: { title: 'About' } },
      { type: 'api::page.page', id: 1, data: { title: 'Start' } },
    ],
    links: [
      link(
        { type: ITEM, ref: 1, field: 'root_menu' },
        { type: 'plugin::menus.menu', ref: 1, field: 'items' },
      ),
      link(
        { type: ITEM, ref: 2, field: 'root_menu' },
        { type: 'plugin::menus.menu', ref: 1, field: 'items' },
      ),
      link({ type: 'api::page.page', ref: 1, field: 'menu' }, { type: 'plugin::menus.menu', ref: 1 }),
    ],
    configuration: [],
    files: {},
    metadata: { strapi: { version: '4.25.0' } },
  })
  const file = join(cwd, 'cms.yaml')
  const { code, err } = await runCommand(['import', '--strapi', archive, '--into', file], { cwd })
  expect(code, err).toBe(0)
  expect(err).toContain(
    'plugin::menus.menu is api::menus-menu.menus-menu here: the routes and the code of its plugin are missing',
  )
  expect(err).not.toContain('comments')
  const { contentTypes } = parse(readFileSync(file, 'utf8'))
  expect(Object.keys(contentTypes).sort()).toEqual(['menus-menu', 'menus-menu-item', 'page'])
  await using cms = await createCms(file, { env: { JWT_SECRET: 'x' } })
  const [page] = await cms.entries('page').findMany({ populate: { menu: { populate: ['items'] } } })
  expect(page).toMatchObject({
    title: 'Start',
    menu: { title: 'Main', items: [{ title: 'Home' }, { title: 'About' }] },
  })
  expect((await cms.fetch('/api/menus-menus')).status).toBe(403)
})
