import { describe, expect, test } from 'vitest'
import {
  expandRolePermissions,
  expandTokenPermissions,
  getActionName,
} from '../../../src/access/permissions.ts'

const actions = new Set([
  'api::article.article.find',
  'api::article.article.findOne',
  'api::article.article.create',
  'plugin::upload.content-api.find',
  'plugin::users-permissions.user.count',
])

test('an action ends with its name', () => {
  expect(getActionName('plugin::upload.content-api.find')).toBe('find')
})

describe('rolePermissions', () => {
  const role = (permissions: string[]) => ({ name: '', description: '', permissions })

  test('public and authenticated exist without being declared, and may do nothing', () => {
    const granted = expandRolePermissions({ roles: {} }, actions)
    expect([...granted.keys()]).toEqual(['public', 'authenticated'])
    expect([...granted.values()].every((permissions) => permissions.size === 0)).toBe(true)
  })

  test('patterns are expanded, and what two of them give is given once', () => {
    const granted = expandRolePermissions(
      { roles: { public: role(['article.find*', 'article.*', '*.find']) } },
      actions,
    )
    expect([...(granted.get('public') ?? [])]).toEqual([
      'api::article.article.find',
      'api::article.article.findOne',
      'api::article.article.create',
    ])
  })

  test('no role inherits from another', () => {
    const granted = expandRolePermissions(
      { roles: { public: role(['article.find']), editor: role(['article.create']) } },
      actions,
    )
    expect(granted.get('authenticated')?.size).toBe(0)
    expect([...(granted.get('editor') ?? [])]).toEqual(['api::article.article.create'])
  })
})

describe('tokenPermissions', () => {
  for (const [name, token, expected] of [
    ['full-access', { type: 'full-access' }, [...actions]],
    [
      'read-only',
      { type: 'read-only' },
      ['api::article.article.find', 'api::article.article.findOne', 'plugin::upload.content-api.find'],
    ],
    ['custom', { type: 'custom', permissions: ['article.create'] }, ['api::article.article.create']],
    ['custom with nothing', { type: 'custom' }, []],
  ] as const) {
    test(name, () => expect([...expandTokenPermissions(token, actions)]).toEqual(expected))
  }
})
