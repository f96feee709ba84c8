// The content that every server of the benchmark serves: articles with a dozen columns, authors and tags.

export const ARTICLES = 2000

export interface Article {
  readonly id: number
  readonly title: string
  readonly slug: string
  readonly summary: string
  readonly views: number
  readonly rating: number
  readonly featured: boolean
  readonly section: string
  readonly day: string
}

export function article(id: number): Article {
  return {
    id,
    title: `Article number ${id} about the harbour`,
    slug: `article-${id}`,
    summary: `A short summary of article ${id}, long enough to look like one that somebody wrote for a list page.`,
    views: (id * 7919) % 10_000,
    rating: ((id * 31) % 50) / 10,
    featured: id % 3 === 0,
    section: ['news', 'food', 'travel', 'essay'][id % 4] ?? 'news',
    day: `2024-${String((id % 12) + 1).padStart(2, '0')}-${String((id % 28) + 1).padStart(2, '0')}`,
  }
}

export const MOMENT = '2024-05-06T07:08:09.123Z'
const MOMENTS = { createdAt: MOMENT, updatedAt: MOMENT }

/** The configuration as an object of JSON, which is YAML too. */
export function benchConfig(more: Readonly<Record<string, unknown>> = {}): string {
  const all = Array.from({ length: ARTICLES }, (_, index) => index + 1)
  return JSON.stringify({
    server: { environment: 'production' },
    ...more,
    contentTypes: {
      article: {
        index: ['views'],
        attributes: {
          title: { type: 'string', required: true },
          slug: { type: 'string', unique: true },
          summary: 'text',
          views: 'integer',
          rating: 'decimal',
          featured: 'boolean',
          section: { type: 'enumeration', enum: ['news', 'food', 'travel', 'essay'] },
          day: 'date',
          author: {
            type: 'relation',
            relation: 'manyToOne',
            target: 'api::author.author',
            inversedBy: 'articles',
          },
          tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag', inversedBy: 'articles' },
        },
      },
      author: {
        attributes: {
          name: 'string',
          articles: {
            type: 'relation',
            relation: 'oneToMany',
            target: 'api::article.article',
            mappedBy: 'author',
          },
        },
      },
      tag: {
        attributes: {
          name: 'string',
          articles: {
            type: 'relation',
            relation: 'manyToMany',
            target: 'api::article.article',
            mappedBy: 'tags',
          },
        },
      },
    },
    auth: { roles: { public: { permissions: ['article.*', 'author.find', 'tag.find'] } } },
    data: {
      author: Array.from({ length: 50 }, (_, index) => ({
        id: index + 1,
        name: `Author ${index + 1}`,
        ...MOMENTS,
      })),
      tag: Array.from({ length: 20 }, (_, index) => ({
        id: index + 1,
        name: `Tag ${index + 1}`,
        ...MOMENTS,
      })),
      article: all.map((id) => ({
        ...article(id),
        author: (id % 50) + 1,
        tags: [(id % 20) + 1, ((id + 7) % 20) + 1],
        createdAt: MOMENT,
        updatedAt: MOMENT,
      })),
    },
  })
}
