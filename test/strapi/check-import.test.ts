// `import --strapi --check`: what a project has that the file, which was made of it before, has not.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newFolder } from '../archive/in-file.ts'
import { runCommand } from '../support/run-command.ts'
import { importProject, ORDERS, order, writeProject } from './project-fixtures.ts'

type Files = Readonly<Record<string, string>>

const ORDER = 'src/api/order/content-types/order/schema.json'
const ROUTES = 'src/api/order/routes/more.js'
const CONTROLLER = 'src/api/order/controllers/order.js'

const withAttributes = (attributes: object): string =>
  JSON.stringify({ ...order, attributes: { ...order.attributes, ...attributes } })

const PROJECT: Files = {
  ...ORDERS,
  [ORDER]: withAttributes({
    state: { type: 'enumeration', enum: ['open', 'paid'] },
    tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag', inversedBy: 'orders' },
    address: { type: 'component', component: 'shared.address' },
    photo: { type: 'media', multiple: false },
  }),
  'src/api/tag/content-types/tag/schema.json': JSON.stringify({
    kind: 'collectionType',
    collectionName: 'tags',
    info: { singularName: 'tag', pluralName: 'tags', displayName: 'Tag' },
    options: { draftAndPublish: false },
    attributes: {
      name: { type: 'string' },
      orders: { type: 'relation', relation: 'manyToMany', target: 'api::order.order', mappedBy: 'tags' },
    },
  }),
  'src/api/tag/routes/tag.js':
    "module.exports = require('@strapi/strapi').factories.createCoreRouter('api::tag.tag')",
  'src/components/shared/address.json': JSON.stringify({
    collectionName: 'components_shared_addresses',
    info: { displayName: 'Address' },
    attributes: { city: { type: 'string' } },
  }),
  'src/extensions/users-permissions/content-types/user/schema.json': JSON.stringify({
    attributes: { nickname: { type: 'string' } },
  }),
  [CONTROLLER]: `const { createCoreController } = require('@strapi/strapi').factories
module.exports = createCoreController('api::order.order', () => ({ async mine() { return { mine: true } } }))`,
  [ROUTES]: `module.exports = { routes: [{ method: 'GET', path: '/orders/mine', handler: 'order.mine' }] }`,
}

async function check(project: string, file = join(project, 'cms.yaml'), ...flags: readonly string[]) {
  return runCommand(['import', '--strapi', '.', '--check', '--into', file, ...flags], { cwd: project })
}

test('nothing is new right after the import, nor after additions by hand in a shorter form', async () => {
  const { project, file } = await importProject(PROJECT)
  const before = readFileSync(file, 'utf8')
  expect(await check(project)).toMatchObject({ code: 0, out: `${file} has all of the project\n` })
  expect(readFileSync(file, 'utf8')).toBe(before)

  writeFileSync(
    file,
    `contentTypes:
  order:
    title: string!
    total: int
    state: [open, paid, late]
    tags: { relation: manyToMany, target: tag, inversedBy: orders }
    address: shared.address
    photo: media
    remark: text
  tag: { name: string, orders: { relation: manyToMany, target: order, mappedBy: tags } }
  plugin::users-permissions.user: { nickname: string }
components: { shared.address: { city: string, street: string } }
plugins: { users-permissions: true, upload: true }
routes: [{ path: /orders/mine, handler: ./${CONTROLLER}#mine, permission: order.mine }]
`,
  )
  const { code, out, err } = await check(project)
  expect(out + err).toContain('has all of the project')
  expect(code).toBe(0)
})

describe('what is new', () => {
  test.each<readonly [name: string, files: Files, lines: readonly string[]]>([
    [
      'an attribute',
      {
        [ORDER]:
          PROJECT[ORDER]?.replace('"title":', '"stars":{"type":"integer","min":1,"default":0},"title":') ??
          '',
      },
      [
        'attributes:',
        '  api::order.order.stars is new: integer',
        '    order.stars: its default is left out: the default 0 is below min 1',
      ],
    ],
    [
      'types of attributes, and their choices',
      {
        [ORDER]: withAttributes({
          total: { type: 'decimal' },
          state: { type: 'enumeration', enum: ['open', 'late'] },
          tags: { type: 'relation', relation: 'oneToMany', target: 'api::tag.tag', mappedBy: 'order' },
          address: { type: 'component', component: 'shared.address', repeatable: true },
          photo: { type: 'media', multiple: true },
        }),
        'src/api/tag/content-types/tag/schema.json': (
          PROJECT['src/api/tag/content-types/tag/schema.json'] ?? ''
        ).replace(
          /"orders":.*?\}/,
          '"order":{"type":"relation","relation":"manyToOne","target":"api::order.order","inversedBy":"tags"}',
        ),
      },
      [
        'attributes:',
        '  api::order.order.total is decimal in the project, and integer in the file',
        '  api::order.order.state may also be late in the project',
        '  api::order.order.tags is oneToMany to api::tag.tag in the project, and manyToMany to api::tag.tag in the file',
        '  api::order.order.address is a list of shared.address in the project, and shared.address in the file',
        '  api::order.order.photo is several media in the project, and media in the file',
        '  api::tag.tag.order is new: manyToOne to api::order.order',
      ],
    ],
    [
      'a content-type and a component',
      {
        'src/api/shop/content-types/shop/schema.json': JSON.stringify({
          ...order,
          collectionName: 'shops',
          info: { singularName: 'shop', pluralName: 'shops', displayName: 'Shop' },
        }),
        'src/components/shared/seo.json': JSON.stringify({
          collectionName: 'components_shared_seos',
          info: { displayName: 'Seo' },
          attributes: { title: { type: 'string' } },
        }),
      },
      [
        'content-types:',
        '  api::shop.shop is new',
        ...['find', 'findOne', 'create', 'update', 'delete'].map(
          (action) =>
            `    no route of the project leads to api::shop.shop.${action}: api::shop.shop.${action} is not granted`,
        ),
        'components:',
        '  shared.seo is new',
      ],
    ],
    [
      'an attribute of users',
      {
        'src/extensions/users-permissions/content-types/user/schema.json': JSON.stringify({
          attributes: { nickname: { type: 'string' }, age: { type: 'integer' } },
        }),
      },
      ['attributes:', '  plugin::users-permissions.user.age is new: integer'],
    ],
    [
      'routes with their guards',
      {
        [ROUTES]: `module.exports = { routes: [
    { method: 'GET', path: '/orders/mine', handler: 'order.mine', config: { policies: ['is-named'] } },
    { method: 'POST', path: '/orders/:id/mine', handler: 'order.mine' },
    { method: 'GET', path: '/orders/gone', handler: 'order.gone' },
  ] }`,
        'src/api/order/policies/is-named.js': 'module.exports = (ctx) => ctx.query.name !== undefined',
      },
      [
        'routes:',
        `  POST /orders/:id/mine is new: ./${CONTROLLER}#mine`,
        `    ${ROUTES}:3: POST /api/orders/:id/mine is kept`,
        '  GET /orders/gone is new, and closed',
        `    ${ROUTES}:4: GET /api/orders/gone is not taken: no controller that is taken has api::order.order.gone`,
        'code:',
        '  ./src/api/order/policies/is-named.js is new for requests to GET /orders/mine',
      ],
    ],
    [
      'code of a type, a service, a middleware and the program',
      {
        [CONTROLLER]: `const { createCoreController } = require('@strapi/strapi').factories
module.exports = createCoreController('api::order.order', () => ({
  async mine() { return { mine: true } },
  async create(ctx) { return super.create(ctx) },
}))`,
        'src/api/order/content-types/order/lifecycles.js': 'module.exports = { beforeCreate() {} }',
        'src/api/order/services/price.js': 'module.exports = () => ({ price: () => 7 })',
        'src/api/order/routes/order.js': `module.exports = require('@strapi/strapi').factories.createCoreRouter('api::order.order', {
  config: { find: { middlewares: ['slow'] } } })`,
        'src/api/order/middlewares/slow.js': 'module.exports = () => (ctx, next) => next()',
        'src/index.js': 'module.exports = { bootstrap({ strapi }) { strapi.log.info("begins") } }',
      },
      [
        'code:',
        '  ./src/api/order/content-types/order/lifecycles.js is new for lifecycles of api::order.order',
        '    src/api/order/content-types/order/lifecycles.js is kept',
        '  ./src/api/order/middlewares/slow.js is new for requests to api::order.order.find',
        `  ./${CONTROLLER}#create is new for api::order.order.create`,
        '  ./src/api/order/services/price.js is new for services.api::order.price',
        '  ./src/index.js is new for "extensions"',
        '    src/index.js is kept',
      ],
    ],
  ])('%s', async (_name, files, lines) => {
    const { project } = await importProject(PROJECT)
    writeProject(files, project)
    const { code, out, err } = await check(project)
    expect(out.split('\n').slice(0, -2), err).toEqual(lines)
    expect(code).toBe(1)
    expect(out).toMatch(/cms\.yaml lacks \d things?\n$/)
  })
})

test('as JSON, with another file', async () => {
  const { project, file } = await importProject(PROJECT)
  writeProject({ [ORDER]: withAttributes({ stars: { type: 'integer' } }) }, project)
  const elsewhere = join(newFolder(), 'other.yaml')
  writeFileSync(elsewhere, readFileSync(file, 'utf8').replaceAll('./src/', `${project}/src/`))
  const { code, out } = await check(project, elsewhere, '--json')
  expect(code).toBe(1)
  expect(JSON.parse(out)).toMatchObject({
    ok: false,
    new: [
      {
        group: 'attributes',
        name: 'api::order.order.stars',
        message: 'api::order.order.stars is new: integer',
        notes: [],
      },
    ],
    report: { closed: [], missing: [], different: expect.any(Array), taken: expect.any(Array) },
  })
})

test('a file that is missing or not valid, and what is no project', async () => {
  const project = writeProject(PROJECT)
  expect(await check(project)).toMatchObject({
    code: 1,
    err: expect.stringContaining('cannot read'),
  })
  writeFileSync(join(project, 'cms.yaml'), 'contentTypes: { note: { title: strin } }\n')
  expect(await check(project)).toMatchObject({
    code: 1,
    err: expect.stringContaining('did you mean "string"?'),
  })
  expect(await runCommand(['import', '--strapi', 'package.json', '--check'], { cwd: project })).toMatchObject(
    {
      code: 1,
      err: expect.stringContaining('--check reads the folder of a project'),
    },
  )
})
