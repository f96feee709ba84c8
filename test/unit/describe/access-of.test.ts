// What an edit of the code sections opens to everybody is said like a permission.

import { expect, test } from 'vitest'
import { checkConfig } from '../../../src/app/check-config.ts'
import { accessOf, widenings } from '../../../src/describe/access-summary.ts'

async function access(find: object, more: object = {}) {
  const contentTypes = { note: { attributes: { text: 'string' }, rest: { config: { find } } } }
  const object = { contentTypes, plugins: { graphql: true }, ...more }
  const { config, model, diagnostics } = await checkConfig({ object }, { env: {} })
  if (config === undefined || model === undefined) throw new Error(JSON.stringify(diagnostics))
  return accessOf(config, model)
}

test('routes and resolvers that ask nobody', async () => {
  const before = await access({})
  const graphql = { resolversConfig: { 'Query.notes': { auth: false }, 'Query.note': {} } }
  expect(widenings(before, await access({ auth: false }, { graphql }))).toEqual([
    'the role public gains api::note.note.find',
    'the role public gains Query.notes',
  ])
  expect(widenings(before, await access({ auth: { scope: ['note.update'] } }))).toEqual([])
})
