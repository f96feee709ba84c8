// Content with hubs: of 10,000 articles half are in one category and all have one tag, so that whatever goes from an article
// to its category or tag and back meets thousands.

interface Relation {
  readonly name: string
  readonly target: TypeName
  readonly many: boolean
}

export type TypeName = 'article' | 'category' | 'tag' | 'author'

/** What the random questions walk along. */
export const graph: Readonly<
  Record<TypeName, { readonly scalars: readonly string[]; readonly relations: readonly Relation[] }>
> = {
  article: {
    scalars: ['title', 'body', 'rating'],
    relations: [
      { name: 'category', target: 'category', many: false },
      { name: 'tags', target: 'tag', many: true },
      { name: 'author', target: 'author', many: false },
    ],
  },
  category: {
    scalars: ['name'],
    relations: [{ name: 'articles', target: 'article', many: true }],
  },
  tag: {
    scalars: ['name'],
    relations: [{ name: 'articles', target: 'article', many: true }],
  },
  author: {
    scalars: ['name'],
    relations: [
      { name: 'articles', target: 'article', many: true },
      { name: 'friends', target: 'author', many: true },
    ],
  },
}

export const pluralOf: Readonly<Record<TypeName, string>> = {
  article: 'articles',
  category: 'categories',
  tag: 'tags',
  author: 'authors',
}

function relation(kind: string, target: TypeName, side: Readonly<Record<string, string>> = {}) {
  return { type: 'relation', relation: kind, target: `api::${target}.${target}`, ...side }
}

export function hubConfig(articles: number) {
  return {
    server: { log: { level: 'error' } },
    plugins: { graphql: { enabled: true } },
    components: {
      'shared.link': { attributes: { label: 'string', to: relation('oneToOne', 'article') } },
    },
    contentTypes: {
      article: {
        options: { draftAndPublish: true },
        attributes: {
          title: 'string',
          body: 'text',
          rating: 'integer',
          category: relation('manyToOne', 'category', { inversedBy: 'articles' }),
          tags: relation('manyToMany', 'tag', { inversedBy: 'articles' }),
          author: relation('manyToOne', 'author', { inversedBy: 'articles' }),
          links: { type: 'component', component: 'shared.link', repeatable: true },
          sections: { type: 'dynamiczone', components: ['shared.link'] },
        },
      },
      category: {
        attributes: { name: 'string', articles: relation('oneToMany', 'article', { mappedBy: 'category' }) },
      },
      tag: {
        attributes: { name: 'string', articles: relation('manyToMany', 'article', { mappedBy: 'tags' }) },
      },
      author: {
        attributes: {
          name: 'string',
          articles: relation('oneToMany', 'article', { mappedBy: 'author' }),
          friends: relation('manyToMany', 'author'),
        },
      },
    },
    auth: { roles: { public: { permissions: ['*.find', '*.findOne', '*.create', '*.update'] } } },
    data: {
      category: list(50, (id) => ({ id, name: `category ${id}` })),
      tag: list(100, (id) => ({ id, name: `tag ${id}` })),
      author: list(200, (id) => ({
        id,
        name: `author ${id}`,
        friends: [1 + (id % 200), 1 + ((id * 7) % 200)],
      })),
      article: list(articles, (id) => ({
        id,
        title: `title ${(id * 7919) % articles}`,
        body: `${id} `.repeat(40),
        rating: id % 10,
        category: id <= articles / 2 ? 1 : 1 + (id % 50),
        tags: [1, 2 + (id % 99)],
        author: 1 + (id % 200),
        ...(id % 10 === 0
          ? {
              links: [{ label: `to ${id}`, to: 1 + (id % articles) }],
              sections: [{ __component: 'shared.link', label: 'section', to: id }],
            }
          : {}),
      })),
    },
  }
}

function list<T>(length: number, make: (id: number) => T): T[] {
  return Array.from({ length }, (_, index) => make(index + 1))
}
