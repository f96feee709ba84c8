// Why somebody may do something: the permissions of the file, their rules, and what the database is asked.

import { expect, test } from 'vitest'
import { checkConfig } from '../../../src/app/check-config.ts'
import { explainPermission } from '../../../src/describe/explain-permission.ts'
import { buildPermissionMatrix, formatMatrix } from '../../../src/describe/permission-matrix.ts'

const object = {
  plugins: { 'users-permissions': { config: { jwtSecret: '0123456789abcdef0123456789abcdef' } } },
  contentTypes: {
    order: {
      attributes: {
        user: { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.user' },
        total: 'integer',
      },
    },
  },
  auth: {
    roles: {
      authenticated: {
        permissions: [
          { 'order.read': { where: 'user == me' } },
          { 'order.find': { where: 'total < 5' } },
          { 'order.create': { set: { user: 'me' }, check: 'total <= 1000' } },
        ],
      },
      clerk: { permissions: ['order.find'] },
    },
    users: [{ username: 'ann', email: 'ann@example.com', password: 'sea-and-salt' }],
  },
}

async function checked() {
  const { config, model, diagnostics } = await checkConfig({ object }, { env: {} })
  if (config === undefined || model === undefined) throw new Error(JSON.stringify(diagnostics))
  return { config, model }
}

test.each([
  [
    'user:ann',
    'order.find',
    `api::order.order.find: under one of these rules
  auth.roles.authenticated.permissions[0]["order.read"]
    where: user == me
  auth.roles.authenticated.permissions[1]["order.find"]
    where: total < 5
  asked of the database as
    select \`t1\`.\`id\` from \`orders\` as \`t1\` where (\`t1\`.\`id\` in (select \`t3\`.\`source_id\` from \`orders_user_links\` as \`t3\` join \`up_users\` as \`t2\` on \`t2\`.\`id\` = \`t3\`.\`target_id\` where \`t2\`.\`id\` = +?) or \`t1\`.\`total\` < ?) order by \`t1\`.\`id\` asc limit cast(? as integer) offset cast(? as integer)
`,
  ],
  [
    'role:authenticated',
    'order.create',
    `api::order.order.create: under a rule
  auth.roles.authenticated.permissions[2]["order.create"]
    check: total <= 1000
    set: {"user":"me"}
`,
  ],
  [
    'role:clerk',
    'order.find',
    `api::order.order.find: yes, without a rule
  auth.roles.clerk.permissions
`,
  ],
  [
    'public',
    'order.find',
    `api::order.order.find: no
  nothing in auth.roles.public.permissions allows it
`,
  ],
])('%s %s', async (who, action, text) => {
  const { config, model } = await checked()
  expect(explainPermission(config, model, who, action)).toEqual({ text })
})

test.each([
  [
    'user:bob',
    'order.find',
    'there is no user "bob" in the file: name the role, as in --as role:authenticated',
  ],
  ['role:none', 'order.find', 'there is no role "none" in the file'],
  ['ann', 'order.find', 'write --as public, role:<type>, user:<name> or token:<name>'],
  ['public', 'order.fly', 'permission "order.fly" names no action'],
])('%s %s is refused', async (who, action, fault) => {
  const { config, model } = await checked()
  expect(explainPermission(config, model, who, action)).toEqual({ fault })
})

test('the table shows rules', async () => {
  const { config, model } = await checked()
  const lines = formatMatrix(buildPermissionMatrix(config, model)).split('\n')
  expect(lines).toContain('| api::order.order.find |  | rule | yes |')
  expect(lines).toContain('- authenticated, api::order.order.create: check total <= 1000; set user = me')
})
