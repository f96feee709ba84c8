// Stars for articles: a content-type of its own, two operations with a permission each, a setting, and a hook.

import type { CmsPlugin } from 'cms-run'

const RATING = 'plugin::ratings.rating'

export default {
  contract: 1,
  settings: {
    maxStars: { type: 'integer', default: 5 },
  },
  contentTypes: {
    rating: {
      attributes: {
        stars: 'integer',
        article: { type: 'relation', relation: 'manyToOne', target: 'api::article.article' },
      },
    },
  },
  operations: [
    {
      action: 'rating.rate',
      method: 'POST',
      path: '/:id/stars',
      async handler(ctx, { cms, settings }) {
        const { stars } = ctx.request.body as { stars?: unknown }
        const maxStars = Number(settings['maxStars'])
        if (!Number.isInteger(stars) || Number(stars) < 1 || Number(stars) > maxStars)
          throw new cms.errors.ValidationError(`stars is a whole number from 1 to ${maxStars}`)
        const article = await cms.entries('article').findOne(Number(ctx.params['id']))
        if (article === null || article === undefined) throw new cms.errors.NotFoundError('no such article')
        await cms.entries(RATING).create({ stars, article: article.id })
        return { data: { stars } }
      },
    },
    {
      action: 'rating.top',
      method: 'GET',
      path: '/top',
      async handler(_ctx, { cms }) {
        const articles = await cms.entries('article').findMany({ sort: 'votes:desc', limit: 10 })
        return { data: articles.map(({ id, title, votes }) => ({ id, title, votes })) }
      },
    },
  ],
  hooks: ({ cms }) => ({
    lifecycles: {
      [RATING]: {
        async afterCreate({ params }) {
          const id = Number(params.data['article'])
          const votes = await cms.entries(RATING).count({ filters: { article: { id } } })
          await cms.entries('article').update(id, { votes })
        },
      },
    },
  }),
} satisfies CmsPlugin
