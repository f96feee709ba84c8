// With `rest.strict`, a request for one document refuses what chooses among several.

import { expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'

test.each([
  [true, 400],
  [false, 200],
])('rest.strict: %s', async (strict, status) => {
  await using cms = await createCms(
    {
      dialect: 'strapi-5',
      rest: { strict },
      contentTypes: { page: { attributes: { title: 'string' } } },
      auth: { roles: { public: { permissions: ['page.*'] } } },
      data: { page: [{ title: 'One' }] },
    },
    { env: {} },
  )
  const [page] = await cms.entries('page').findMany()
  for (const query of ['sort=title', 'pagination[page]=1']) {
    const response = await cms.fetch(`/api/pages/${page?.['documentId']}?${query}`)
    expect(response.status).toBe(status)
    if (strict) expect(await response.text()).toContain('has no effect here: the request is for one document')
  }
  expect((await cms.fetch(`/api/pages/${page?.['documentId']}?filters[title]=One`)).status).toBe(200)
})
