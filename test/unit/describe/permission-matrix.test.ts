import { expect, test } from 'vitest'
import { checkConfig } from '../../../src/app/check-config.ts'
import { buildPermissionMatrix, formatMatrix } from '../../../src/describe/permission-matrix.ts'

const object = {
  contentTypes: {
    note: { attributes: { text: 'string' } },
    home: { kind: 'singleType', attributes: { text: 'string' } },
  },
  plugins: { upload: false, 'content-type-builder': false },
  auth: {
    roles: {
      editor: { permissions: ['note.*'] },
      public: { permissions: ['note.find', 'home.find'] },
    },
    apiTokens: [
      { name: 'front|end', type: 'read-only', token: 'x' },
      { name: 'ci', type: 'custom', token: 'y', permissions: ['note.create'] },
    ],
  },
}

async function matrix() {
  const { config, model, diagnostics } = await checkConfig({ object }, { env: {} })
  if (config === undefined || model === undefined) throw new Error(JSON.stringify(diagnostics))
  return buildPermissionMatrix(config, model)
}

test('every role and token with its actions', async () => {
  expect(await matrix()).toMatchObject({
    roles: {
      // Strapi's defaults, because the file has a role for users.
      public: expect.arrayContaining([
        'api::note.note.find',
        'api::home.home.find',
        'plugin::users-permissions.auth.callback',
        'plugin::users-permissions.auth.register',
      ]),
      authenticated: ['plugin::users-permissions.auth.changePassword', 'plugin::users-permissions.user.me'],
      editor: ['find', 'findOne', 'create', 'update', 'delete'].map((action) => `api::note.note.${action}`),
    },
    apiTokens: {
      'front|end': expect.arrayContaining([
        'api::note.note.find',
        'api::note.note.findOne',
        'api::home.home.find',
      ]),
      ci: ['api::note.note.create'],
    },
  })
})

test('as a table', async () => {
  const lines = formatMatrix(await matrix()).split('\n')
  expect(
    lines.filter((line) => /^\|(?! plugin::)/.test(line)).join('\n'),
  ).toBe(`| action | public | authenticated | editor | token front\\|end | token ci |
|---|:-:|:-:|:-:|:-:|:-:|
| api::note.note.find | yes |  | yes | yes |  |
| api::note.note.findOne |  |  | yes | yes |  |
| api::note.note.create |  |  | yes |  | yes |
| api::note.note.update |  |  | yes |  |  |
| api::note.note.delete |  |  | yes |  |  |
| api::home.home.find | yes |  |  | yes |  |`)
  expect(lines).toContain('15 of 34 actions are granted to nobody.')
})

test('says what opens logins, registrations and new passwords to those who have no token', async () => {
  const open = { public: { permissions: ['plugin::users-permissions.auth.callback'] } }
  const shown = async (auth: object): Promise<string> => {
    const plain = { contentTypes: object.contentTypes, auth }
    const { config, model } = await checkConfig({ object: plain }, { env: {} })
    if (config === undefined || model === undefined) throw new Error('the configuration is refused')
    return formatMatrix(buildPermissionMatrix(config, model)).split('\n\n').slice(2).join('\n\n')
  }
  const lines = [
    '- log in, POST /auth/local: `plugin::users-permissions.auth.callback`',
    '- register, POST /auth/local/register: `plugin::users-permissions.auth.register`',
    '- ask for a new password, POST /auth/forgot-password: `plugin::users-permissions.auth.forgotPassword`',
    '- set a new password, POST /auth/reset-password: `plugin::users-permissions.auth.resetPassword`',
  ]
  const text = (rows: readonly string[]): string =>
    `The role public may not do this; auth.roles.public.permissions would open it:\n\n${rows.join('\n')}\n`
  expect(await shown({})).toBe(text(lines))
  expect(await shown({ roles: open })).toBe(text(lines.slice(1)))
})
