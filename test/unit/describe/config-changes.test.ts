// What the line of a reload says of an edit.

import { expect, test } from 'vitest'
import { checkConfig } from '../../../src/app/check-config.ts'
import type { Config } from '../../../src/config/config.ts'
import { describeConfigChanges } from '../../../src/describe/config-changes.ts'

const note = { attributes: { text: 'string' } }
const base = { contentTypes: { note }, auth: { roles: { public: { permissions: ['note.find'] } } } }

async function configOf(object: object): Promise<Config> {
  const { config, diagnostics } = await checkConfig({ object }, { env: {} })
  if (config === undefined) throw new Error(JSON.stringify(diagnostics))
  return config
}

const many = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`kind-${index}`, note]))

test.each<readonly [string, object]>([
  ['', base],
  ['content-type recipe added', { ...base, contentTypes: { note, recipe: note } }],
  ['content-type note changed', { ...base, contentTypes: { note: { attributes: { text: 'text' } } } }],
  ['role public removed', { contentTypes: { note } }],
  ['role public changed', { ...base, auth: { roles: { public: { permissions: ['note.*'] } } } }],
  ['data of note added', { ...base, data: { note: [{ text: 'a' }] } }],
  ['plugin graphql added', { ...base, plugins: { graphql: true } }],
  ['server changed, rest changed', { ...base, server: { port: 80 }, rest: { defaultLimit: 3 } }],
])('%s', async (text, after) => {
  expect(describeConfigChanges(await configOf(base), await configOf(after))).toBe(text)
})

test('few of many are named', async () => {
  const after = await configOf({ ...base, contentTypes: { note, ...many } })
  const text = describeConfigChanges(await configOf(base), after)
  expect(text).toMatch(/^content-type kind-0 added, .* added and 4 more$/)
})
