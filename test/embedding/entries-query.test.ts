// What programs write in a question is understood as its text in a query string is.

import { expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'

test.each([
  [{ articles: true }, [{ title: 'One' }, { title: 'Two' }]],
  [{ articles: { count: true } }, { count: 2 }],
  [{ articles: { limit: 1, start: 1 } }, [{ title: 'Two' }]],
  [{ articles: { filters: { views: 3, title: { $notNull: true } } } }, [{ title: 'Two' }]],
  [{ articles: false }, undefined],
])('populate %j', async (populate, expected) => {
  const config = {
    contentTypes: { author: { articles: ['article'] }, article: { title: 'string', views: 'integer' } },
    data: {
      article: [
        { id: 1, title: 'One', views: 2 },
        { id: 2, title: 'Two', views: 3 },
      ],
      author: [{ id: 1, articles: [1, 2] }],
    },
  }
  await using cms = await createCms(config as never, { env: {} })
  const [author] = await cms.entries('author').findMany({ populate: populate as never })
  if (expected === undefined) expect(author).not.toHaveProperty('articles')
  else expect(author).toMatchObject({ articles: expected })
})
