// `import --strapi --copy`: the code of a project is copied beside the configuration, which then needs the project no more.

import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createCms } from '../../src/index.ts'
import { newFolder } from '../archive/in-file.ts'
import { runCommand } from '../support/run-command.ts'
import { listRoles, ORDERS, writeProject } from './project-fixtures.ts'

const PROJECT = {
  ...ORDERS,
  'config/sync/user-role.public.json': listRoles(['find']),
  'config/middlewares.js': "module.exports = ['strapi::errors', 'global::stamped']",
  'config/shop.js': 'module.exports = { price: 7 }',
  'src/middlewares/stamped.js': `const { stamp } = require('../lib/stamp')
module.exports = () => async (ctx, next) => { await next(); ctx.set('x-stamp', stamp()) }`,
  'src/lib/stamp.js':
    "const { word } = require('./words.json')\nexports.stamp = () => word + strapi.config.get('shop.price')",
  'src/lib/words.json': '{ "word": "paid" }',
  'src/lib/unused.js': 'module.exports = 1',
}

test('files that the configuration names, and what they import', async () => {
  const [project, target] = [writeProject(PROJECT), newFolder()]
  const file = join(target, 'cms.yaml')
  const { code, err } = await runCommand(['import', '--strapi', project, '--into', file, '--copy'], {
    cwd: target,
  })
  expect(code, err).toBe(0)
  expect(parse(readFileSync(file, 'utf8'))).toMatchObject({
    middlewares: { stamped: './strapi/src/middlewares/stamped.js' },
    settings: { shop: './strapi/config/shop.js' },
  })
  expect(readdirSync(join(target, 'strapi/src/lib')).sort()).toEqual(['stamp.js', 'words.json'])
  const again = await runCommand(['import', '--strapi', project, '--into', file, '--copy', '--check'], {
    cwd: target,
  })
  expect(again.code, again.out).toBe(0)
  rmSync(project, { recursive: true })
  const cms = await createCms(file, { env: { JWT_SECRET: 'x' }, database: { client: 'memory' } })
  const response = await cms.fetch('/api/orders')
  expect([response.status, response.headers.get('x-stamp')]).toEqual([200, 'paid7'])
  await cms.close()
})

test('a file outside of the project is refused', async () => {
  const outer = writeProject(
    Object.fromEntries([
      ...Object.entries(PROJECT).map(([name, text]) => [`project/${name}`, text] as const),
      ['project/src/lib/stamp.js', "module.exports = require('../../../outer')"] as const,
      ['outer.js', "exports.stamp = () => 'outer'"] as const,
    ]),
  )
  const { code, err } = await runCommand(
    ['import', '--strapi', join(outer, 'project'), '--into', 'cms.yaml', '--copy'],
    {
      cwd: newFolder(),
    },
  )
  expect(code).toBe(1)
  expect(err).toContain('src/middlewares/stamped.js imports ../outer.js, which is outside of the project')
})
