import { expect, test } from 'vitest'
import { listModelActions } from '../../../src/model/actions.ts'
import { buildModel } from '../../../src/model/build-model.ts'
import {
  enablePlugins,
  getModelParts,
  isPluginEnabled,
  listContributions,
} from '../../../src/plugins/plugin-host.ts'
import { configOf } from './config-of.ts'

const localized = { i18n: { localized: true } }

test('generated actions by kind, localization where there are locales, and the plugins’', () => {
  const config = configOf({
    plugins: { i18n: true },
    contentTypes: {
      article: { pluginOptions: localized, rest: { only: ['find'], config: {} } },
      home: { kind: 'singleType' },
    },
  })
  const outcome = buildModel(config, getModelParts(enablePlugins(config)))
  if (!outcome.ok) throw new Error('the model has faults')
  expect([...listModelActions(outcome.value, ['plugin::upload.content-api.upload'])]).toEqual([
    'api::article.article.find',
    'api::article.article.findOne',
    'api::article.article.create',
    'api::article.article.update',
    'api::article.article.delete',
    'api::article.article.createLocalization',
    'api::article.article.createMany',
    'api::article.article.updateMany',
    'api::article.article.deleteMany',
    'api::article.article.upsert',
    'api::article.article.upsertMany',
    'api::home.home.find',
    'api::home.home.update',
    'api::home.home.delete',
    'plugin::upload.content-api.upload',
  ])
})

for (const [name, plugins, expected] of [
  ['upload', {}, true],
  ['users-permissions', {}, true],
  ['upload', { upload: false }, false],
  ['i18n', {}, false],
  ['i18n', { i18n: true }, true],
  ['graphql', { graphql: false }, false],
  ['constructor', {}, false],
] as const) {
  test(`plugin ${name} with ${JSON.stringify(plugins)} is ${expected ? 'on' : 'off'}`, () => {
    expect(isPluginEnabled(configOf({ plugins }), name)).toBe(expected)
  })
}

test('plugins that are off contribute nothing', () => {
  const names = (plugins: Record<string, boolean>) =>
    listContributions(enablePlugins(configOf({ plugins }))).map(({ plugin }) => plugin)
  expect(names({})).toEqual(['content-type-builder', 'upload', 'users-permissions', 'scheduling'])
  expect(names({ upload: false, i18n: true, email: true, 'content-type-builder': false })).toEqual([
    'email',
    'i18n',
    'users-permissions',
    'scheduling',
  ])
})
