// A rule of many conditions, each through relations: PostgreSQL expects it to be expensive, over however few entries.

import { expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'
import { postgresHere } from '../support/postgres.ts'
import { openTestDatabase } from '../support/test-database.ts'

const nested = (depth: number): string =>
  depth === 0
    ? 'main.open'
    : `(${nested(depth - 1)} ? main.main.id > ${depth} : members.exists(one, one.main.id > ${depth}))`

test.skipIf((await postgresHere()) === undefined)('is answered', async () => {
  const relation = (kind: string) => ({ type: 'relation', relation: kind, target: 'api::doc.doc' })
  const { options, drop } = await openTestDatabase('postgres')
  const cms = await createCms(
    {
      contentTypes: {
        doc: {
          attributes: {
            open: 'boolean',
            main: relation('manyToOne'),
            members: relation('manyToMany'),
          },
        },
      },
      auth: { roles: { public: { permissions: [{ 'doc.read': { where: nested(5) } }] } } },
      data: { doc: [1, 2, 3].map((id) => ({ id, open: true, main: 4 - id, members: [1] })) },
    },
    { env: {}, ...options },
  )
  const response = await cms.fetch('/api/docs?sort=main.id&populate=*')
  await cms.close()
  await drop()
  expect(response.status).toBe(200)
})
