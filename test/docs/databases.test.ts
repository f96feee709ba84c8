// The configurations that databases.md, scaling.md and how-to/scale.md show for PostgreSQL are taken, and answer.

import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'
import { openTestSchema, postgresHere } from '../support/postgres.ts'

const here = await postgresHere()
const docs = join(dirname(fileURLToPath(import.meta.url)), '../../docs')
const blocks = ['reference/databases.md', 'reference/scaling.md', 'how-to/scale.md'].flatMap((page) =>
  [...readFileSync(join(docs, page), 'utf8').matchAll(/```yaml\n(.*?)```/gs)]
    .map(([, text = '']) => [page, text] as const)
    .filter(([, text]) => text.includes('client: postgres')),
)

test('there are some', () => {
  expect(blocks.length).toBeGreaterThanOrEqual(4)
})

describe.skipIf(here === undefined)('a configuration of', () => {
  test.each(blocks)('%s', async (_page, text) => {
    const { connection, schema, drop } = await openTestSchema(here ?? '')
    const file = join(mkdtempSync(join(tmpdir(), 'cms-run-docs-')), 'cms.yaml')
    writeFileSync(file, `${text}auth: { roles: { public: { permissions: [article.find] } } }\n`)
    const env = {
      DATABASE_URL: connection,
      REPLICA_URL: connection,
      JWT_SECRET: '0123456789abcdef0123456789abcdef',
      S3_KEY: 'a-key-of-the-bucket',
      S3_SECRET: 'a-secret-of-the-bucket',
    }
    const cms = await createCms(file, { env, database: { schema } })
    expect((await cms.fetch('/api/articles')).status).toBe(200)
    await cms.close()
    await drop()
  })
})
