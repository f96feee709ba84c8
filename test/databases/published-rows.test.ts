// Lists of published documents do not pass the drafts, whose ids are lower: they are read from an index of their own.

import { expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'

test('a page of what is published is read from the index of published rows', async () => {
  await using cms = await createCms(
    {
      dialect: 'strapi-5',
      console: true,
      contentTypes: { note: { drafts: true, attributes: { text: 'string' } } },
      data: { note: [{ id: 1, text: 'one' }] },
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
    body: JSON.stringify({ as: 'everything', path: '/api/notes' }),
  })
  const { statements } = (await response.json()) as { statements: { sql: string; plan: string[] }[] }
  const read = statements.find(({ sql }) => sql.includes('order by'))
  expect(read?.plan).toEqual(['SCAN t1 USING INDEX notes_published_rows_index'])
})
