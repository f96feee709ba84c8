// What a developer would write by hand for GraphQL: mercurius with its JIT, loaders against N+1, prepared statements on
// SQLite in memory (libsql, whose interface is that of better-sqlite3, which compiles when it is installed). Prints its port.

import Fastify from 'fastify'
import Database from 'libsql'
import mercurius from 'mercurius'
import { ARTICLES, article, MOMENT } from './article-model.ts'

const database = new Database(':memory:')
database.exec(`
  create table authors (id integer primary key, name text, createdAt text, updatedAt text) strict;
  create table tags (id integer primary key, name text, createdAt text, updatedAt text) strict;
  create table articles (id integer primary key, title text, slug text unique, summary text, views integer, rating real,
    featured integer, section text, day text, createdAt text, updatedAt text, authorId integer) strict;
  create table article_tags (article_id integer, tag_id integer, place integer, primary key (article_id, place)) strict;
`)
const insertAuthor = database.prepare('insert into authors values (?, ?, ?, ?)')
const insertTag = database.prepare('insert into tags values (?, ?, ?, ?)')
const insertLink = database.prepare('insert into article_tags values (?, ?, ?)')
const insertArticle = database.prepare(
  'insert into articles values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning *',
)
database.transaction(() => {
  for (let id = 1; id <= 50; id++) insertAuthor.run(id, `Author ${id}`, MOMENT, MOMENT)
  for (let id = 1; id <= 20; id++) insertTag.run(id, `Tag ${id}`, MOMENT, MOMENT)
  for (let id = 1; id <= ARTICLES; id++) {
    const { title, slug, summary, views, rating, featured, section, day } = article(id)
    const values = [title, slug, summary, views, rating, featured ? 1 : 0, section, day, MOMENT, MOMENT]
    insertArticle.get(id, ...values, (id % 50) + 1)
    insertLink.run(id, (id % 20) + 1, 1)
    insertLink.run(id, ((id + 7) % 20) + 1, 2)
  }
})()

const selectOne = database.prepare('select * from articles where id = ?')
const selectList = database.prepare('select * from articles order by id limit ? offset ?')
const selectPopular = database.prepare(
  'select * from articles where views > ? order by views desc, id limit ? offset ?',
)
const countAll = database.prepare('select count(*) as total from articles')
const countPopular = database.prepare('select count(*) as total from articles where views > ?')
const selectAuthors = database.prepare('select * from authors where id in (select value from json_each(?))')
const selectTags = database.prepare(
  'select l.article_id as articleId, t.* from article_tags l join tags t on t.id = l.tag_id where l.article_id in (select value from json_each(?)) order by l.article_id, l.place',
)

interface Row {
  readonly id: number
  readonly authorId: number
}
interface Range {
  readonly limit: number
  readonly start: number
  readonly viewsOver?: number
}

const app = Fastify()
await app.register(mercurius, {
  jit: 1,
  schema: `
    type Author { id: ID! name: String createdAt: String updatedAt: String }
    type Tag { id: ID! name: String createdAt: String updatedAt: String }
    type Article { id: ID! title: String slug: String summary: String views: Int rating: Float featured: Boolean
      section: String day: String createdAt: String updatedAt: String author: Author tags: [Tag!]! }
    type Page { data: [Article!]! total: Int! }
    type Query { articles(limit: Int = 25, start: Int = 0, viewsOver: Int): Page! article(id: ID!): Article }
    type Mutation { createArticle(title: String!, slug: String, views: Int): Article! }
  `,
  resolvers: {
    Query: {
      articles: (_root: unknown, range: Range) => range,
      article: (_root: unknown, { id }: { id: string }) => selectOne.get(Number(id)),
    },
    Page: {
      data: ({ limit, start, viewsOver }: Range) =>
        viewsOver === undefined ? selectList.all(limit, start) : selectPopular.all(viewsOver, limit, start),
      total: ({ viewsOver }: Range) =>
        (
          (viewsOver === undefined ? countAll.get() : countPopular.get(viewsOver)) as {
            readonly total: number
          }
        ).total,
    },
    Mutation: {
      createArticle(_root: unknown, { title, slug, views }: { title: string; slug: string; views: number }) {
        const now = new Date().toISOString()
        return insertArticle.get(null, title, slug, null, views, null, null, null, null, now, now, null)
      },
    },
  },
  loaders: {
    Article: {
      async author(queries: readonly { readonly obj: Row }[]) {
        const ids = JSON.stringify([...new Set(queries.map(({ obj }) => obj.authorId))])
        const byId = new Map((selectAuthors.all(ids) as Row[]).map((author) => [author.id, author]))
        return queries.map(({ obj }) => byId.get(obj.authorId) ?? null)
      },
      async tags(queries: readonly { readonly obj: Row }[]) {
        const byArticle = new Map<number, unknown[]>()
        const ids = JSON.stringify(queries.map(({ obj }) => obj.id))
        for (const row of selectTags.all(ids) as { readonly articleId: number }[]) {
          const list = byArticle.get(row.articleId)
          if (list === undefined) byArticle.set(row.articleId, [row])
          else list.push(row)
        }
        return queries.map(({ obj }) => byArticle.get(obj.id) ?? [])
      },
    },
  },
})
await app.listen({ port: 0, host: '127.0.0.1' })
const address = app.server.address()
console.log(
  typeof address === 'object' && address !== null ? `listening on http://127.0.0.1:${address.port}` : '',
)
