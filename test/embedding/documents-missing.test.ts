// What a new document lacks is null in its draft, and is refused as null when it is published with the same request.

import { expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'

const attributes = {
  name: { type: 'string', required: true },
  compo: { type: 'component', component: 'default.part', required: true },
}

test.each([
  [
    true,
    'a `string` type, but the final value was: `null`.',
    'a `object` type, but the final value was: `null`.',
  ],
  [false, 'defined.', 'defined.'],
])('drafts: %s', async (drafts, name, compo) => {
  const config = {
    dialect: 'strapi-5',
    contentTypes: { page: { drafts, attributes } },
    components: { 'default.part': { attributes: { text: 'string' } } },
    auth: { roles: { public: { permissions: ['page.*'] } } },
  }
  await using cms = await createCms(config as never, { env: {} })
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"data":{}}' }
  const { error } = (await (await cms.fetch('/api/pages', init)).json()) as {
    error: { details: { errors: { message: string }[] } }
  }
  expect(error.details.errors.map(({ message }) => message)).toEqual([
    `name must be ${name}`,
    `compo must be ${compo}`,
  ])
})
