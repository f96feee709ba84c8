import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { AttributeConfig } from '../../../src/config/config.ts'
import { buildModel } from '../../../src/model/build-model.ts'
import { modelCodes, showValue } from '../../../src/model/checking.ts'
import { enablePlugins, getModelParts } from '../../../src/plugins/plugin-host.ts'
import { type ConfigParts, configOf } from './config-of.ts'

function diagnosticsOf(parts: ConfigParts) {
  const config = configOf(parts)
  const outcome = buildModel(config, getModelParts(enablePlugins(config)))
  return outcome.ok ? outcome.warnings : outcome.diagnostics
}

function manyAttributes(count: number): Record<string, AttributeConfig> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, { type: 'string' }]))
}

describe('codes', () => {
  const docs = readFileSync(new URL('../../../docs/reference/errors.md', import.meta.url), 'utf8')
  const bad = new URL('../../config/bad/', import.meta.url)
  const reports = readdirSync(bad)
    .filter((name) => name.endsWith('.txt'))
    .map((name) => readFileSync(new URL(name, bad), 'utf8'))
    .join('\n')

  test('are documented, in order', () => {
    const documented = [...docs.matchAll(/^### (MOD\d{3})$/gm)].map(([, code]) => code)
    expect(documented).toEqual([...modelCodes])
  })

  test('all have a bad file, but for the two that would need a very long one', () => {
    const missing = modelCodes.filter((code) => !reports.includes(`[${code}]`))
    expect(missing).toEqual(['MOD009', 'MOD089'])
  })
})

describe('limits', () => {
  test('500 attributes are possible', () => {
    expect(diagnosticsOf({ contentTypes: { wide: { attributes: manyAttributes(500) } } })).toEqual([])
  })

  test('501 are not', () => {
    expect(diagnosticsOf({ contentTypes: { wide: { attributes: manyAttributes(501) } } })).toEqual([
      {
        code: 'MOD009',
        severity: 'error',
        path: ['contentTypes', 'wide', 'attributes'],
        at: 'key',
        message: 'api::wide.wide has 501 attributes, at most 500 are possible',
        help: 'group some of them in components',
      },
    ])
  })

  test('a hundred faults of entries are shown, the rest is counted', () => {
    const entries = Array.from({ length: 150 }, () => ({ nope: 1 }))
    const diagnostics = diagnosticsOf({
      contentTypes: { article: { attributes: { title: { type: 'string' } } } },
      data: { 'api::article.article': entries },
    })
    expect(diagnostics).toHaveLength(101)
    expect(diagnostics.at(-1)).toMatchObject({
      code: 'MOD089',
      message: '50 more faults in the entries are not shown',
    })
  })
})

describe('warnings', () => {
  test('let the model through', () => {
    const config = configOf({
      contentTypes: { article: { attributes: { code: { type: 'string', regex: '(?=a)' } } } },
    })
    const outcome = buildModel(config, getModelParts(enablePlugins(config)))
    expect(outcome.ok).toBe(true)
    expect(outcome.ok ? outcome.warnings.map(({ code }) => code) : []).toEqual(['MOD044'])
  })
})

describe('no faults are found in', () => {
  const rows: readonly (readonly [string, ConfigParts])[] = [
    [
      'names that differ enough',
      {
        plugins: { graphql: true },
        contentTypes: {
          page: { attributes: { title: { type: 'string' }, subtitle: { type: 'string' } } },
          'page-entry': {},
        },
      },
    ],
    [
      'a role and a file of the project beside those of the plugins',
      {
        plugins: { graphql: true },
        contentTypes: {
          role: { collectionName: 'roles', attributes: {} },
          'api::docs.file': { collectionName: 'documents' },
        },
      },
    ],
    [
      'defaults at their bounds',
      {
        contentTypes: {
          sample: {
            attributes: {
              low: { type: 'integer', min: 0, default: 0 },
              high: { type: 'biginteger', max: '9007199254740993', default: '9007199254740993' },
              code: { type: 'string', minLength: 3, maxLength: 3, regex: '^[a-z]+$', default: 'abc' },
              empty: { type: 'string', default: null },
              handle: { type: 'uid', default: 'My first page' },
            },
          },
        },
      },
    ],
    [
      'data of every form',
      {
        plugins: { i18n: true },
        contentTypes: {
          article: {
            options: { draftAndPublish: true },
            pluginOptions: { i18n: { localized: true } },
            attributes: {
              title: { type: 'string' },
              cover: { type: 'media' },
              next: { type: 'relation', relation: 'oneToOne', target: 'api::article.article' },
              all: { type: 'relation', relation: 'manyToMany', target: 'api::article.article' },
              any: { type: 'relation', relation: 'morphToMany' },
            },
          },
        },
        data: {
          'plugin::upload.file': [{ id: 3, name: 'a.png', file: './a.png' }],
          'api::article.article': [
            { $ref: 'one', title: 'One', cover: 3, next: '$two', all: ['$one', 2, '3', { id: 1 }] },
            { $ref: 'two', cover: { file: './b.png', caption: 'B' }, next: null, publishedAt: null },
            {
              locale: 'fr',
              localizations: ['$one'],
              any: [{ __type: 'plugin::upload.file', id: 3 }, '$two'],
            },
          ],
        },
      },
    ],
    [
      'permissions of every form',
      {
        plugins: { i18n: true },
        contentTypes: { article: { pluginOptions: { i18n: { localized: true } } } },
        auth: {
          roles: {
            public: {
              name: 'Public',
              description: '',
              permissions: [
                'article.find',
                'article.*',
                '*.find',
                'api::*.createLocalization',
                'plugin::upload.*',
              ],
            },
          },
        },
      },
    ],
    [
      'resolvers that extensions may add',
      {
        plugins: { graphql: true },
        contentTypes: { article: {} },
        graphql: {
          shadowCRUD: { article: { disable: true } },
          extensions: ['./extension.ts'],
          resolversConfig: { 'Query.anything': { auth: false } },
        },
      },
    ],
  ]
  for (const [name, parts] of rows) test(name, () => expect(diagnosticsOf(parts)).toEqual([]))
})

test('showValue cuts what is long', () => {
  expect(showValue('short')).toBe('"short"')
  expect(showValue('x'.repeat(100))).toHaveLength(60)
  expect(showValue(undefined)).toBe('undefined')
})
