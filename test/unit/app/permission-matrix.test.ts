import { expect, test } from 'vitest'
import { checkConfig } from '../../../src/app/check-config.ts'
import { matrixMarkdown, permissionMatrix } from '../../../src/app/permission-matrix.ts'

const object = {
  contentTypes: {
    note: { attributes: { text: 'string' } },
    home: { kind: 'singleType', attributes: { text: 'string' } },
  },
  plugins: { upload: false, 'users-permissions': false, 'content-type-builder': false },
  auth: {
    roles: {
      editor: { permissions: ['note.*'] },
      public: { permissions: ['*.find'] },
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
  return permissionMatrix(config, model)
}

test('every role and token with its actions', async () => {
  expect(await matrix()).toMatchObject({
    roles: {
      public: ['api::note.note.find', 'api::home.home.find'],
      authenticated: [],
      editor: ['find', 'findOne', 'create', 'update', 'delete'].map((action) => `api::note.note.${action}`),
    },
    apiTokens: {
      'front|end': ['api::note.note.find', 'api::note.note.findOne', 'api::home.home.find'],
      ci: ['api::note.note.create'],
    },
  })
})

test('as a table', async () => {
  expect(
    matrixMarkdown(await matrix()),
  ).toBe(`| action | public | authenticated | editor | token front\\|end | token ci |
|---|:-:|:-:|:-:|:-:|:-:|
| api::note.note.find | yes |  | yes | yes |  |
| api::note.note.findOne |  |  | yes | yes |  |
| api::note.note.create |  |  | yes |  | yes |
| api::note.note.update |  |  | yes |  |  |
| api::note.note.delete |  |  | yes |  |  |
| api::home.home.find | yes |  |  | yes |  |

2 of 8 actions are for nobody.
`)
})
