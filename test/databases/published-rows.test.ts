// Lists of published documents do not pass the drafts, whose ids are lower and which are as many: they are read from
// indexes of published rows.

import { expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'

test.each([
  ['', ['SCAN t1 USING INDEX notes_published_rows_index']],
  [
    '?sort=createdAt:desc',
    ['SCAN t1 USING INDEX notes_created_at_index_published', 'USE TEMP B-TREE FOR LAST TERM OF ORDER BY'],
  ],
  ['?sort=updatedAt', ['SCAN t1 USING INDEX notes_updated_at_index_published']],
  [
    '?filters[views][$gt]=3&sort=text',
    ['SEARCH t1 USING INDEX notes_views_index (views>?)', 'USE TEMP B-TREE FOR ORDER BY'],
  ],
  [
    '?status=draft&filters[views][$gt]=3',
    ['SEARCH t1 USING INDEX notes_published_at_index (published_at=?)'],
  ],
])('/api/notes%s reads only rows of its version', async (query, plan) => {
  await using cms = await createCms(
    {
      dialect: 'strapi-5',
      console: true,
      contentTypes: {
        note: { drafts: true, index: ['views'], attributes: { text: 'string', views: 'integer' } },
      },
      data: { note: [{ id: 1, text: 'one', views: 5 }] },
    } as never,
    { env: {} },
  )
  const { consoleUrl = '' } = await cms.listen(0, '127.0.0.1')
  const response = await cms.fetch('/_console/ask', {
    method: 'POST',
    headers: {
      host: 'localhost:1337',
      'content-type': 'application/json',
      'x-console-key': consoleUrl.slice(consoleUrl.indexOf('#key=') + 5),
    },
    body: JSON.stringify({ as: 'everything', path: `/api/notes${query}` }),
  })
  const { statements } = (await response.json()) as { statements: { sql: string; plan: string[] }[] }
  const read = statements.find(({ sql }) => sql.includes('order by'))
  expect(read?.plan).toEqual(plan)
})
