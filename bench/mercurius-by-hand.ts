// What a developer would write by hand for GraphQL: mercurius with its JIT, loaders against N+1, prepared statements on
// SQLite in memory. Prints its port.

import Fastify from 'fastify'
import Database from 'libsql'
import mercurius from 'mercurius'
import { ARTICLES, type Article, article } from './article-model.ts'

const database = new Database(':memory:')
database.exec(`
  create table authors (id integer primary key, name text) strict;
  create table tags (id integer primary key, name text) strict;
  create table articles (id integer primary key, title text, slug text, summary text, views integer, author_id integer) strict;
  create table article_tags (article_id integer, tag_id integer, place integer, primary key (article_id, place)) strict;
`)
const insertAuthor = database.prepare('insert into authors values (?, ?)')
const insertTag = database.prepare('insert into tags values (?, ?)')
const insertArticle = database.prepare('insert into articles values (?, ?, ?, ?, ?, ?)')
const insertLink = database.prepare('insert into article_tags values (?, ?, ?)')
database.transaction(() => {
  for (let id = 1; id <= 50; id++) insertAuthor.run(id, `Author ${id}`)
  for (let id = 1; id <= 20; id++) insertTag.run(id, `Tag ${id}`)
  for (let id = 1; id <= ARTICLES; id++) {
    const { title, slug, summary, views } = article(id)
    insertArticle.run(id, title, slug, summary, views, (id % 50) + 1)
    insertLink.run(id, (id % 20) + 1, 1)
    insertLink.run(id, ((id + 7) % 20) + 1, 2)
  }
})()

const COLUMNS = 'id, title, slug, summary, views, author_id as authorId'
const selectOne = database.prepare(`select ${COLUMNS} from articles where id = ?`)
const selectList = database.prepare(`select ${COLUMNS} from articles order by id limit ? offset ?`)
const selectAuthors = database.prepare(
  'select id, name from authors where id in (select value from json_each(?))',
)
const selectTags = database.prepare(
  'select l.article_id as articleId, t.id, t.name from article_tags l join tags t on t.id = l.tag_id where l.article_id in (select value from json_each(?)) order by l.article_id, l.place',
)

interface Row extends Article {
  readonly authorId: number
}
interface Named {
  readonly id: number
  readonly name: string
}

const app = Fastify()
await app.register(mercurius, {
  jit: 1,
  schema: `
    type Author { id: ID! name: String }
    type Tag { id: ID! name: String }
    type Article { id: ID! title: String slug: String summary: String views: Int author: Author tags: [Tag!]! }
    type Query { articles(limit: Int = 25, start: Int = 0): [Article!]! article(id: ID!): Article }
  `,
  resolvers: {
    Query: {
      articles: (_root: unknown, { limit, start }: { limit: number; start: number }) =>
        selectList.all(limit, start),
      article: (_root: unknown, { id }: { id: string }) => selectOne.get(Number(id)),
    },
  },
  loaders: {
    Article: {
      async author(queries: readonly { readonly obj: Row }[]) {
        const ids = JSON.stringify([...new Set(queries.map(({ obj }) => obj.authorId))])
        const byId = new Map((selectAuthors.all(ids) as Named[]).map((author) => [author.id, author]))
        return queries.map(({ obj }) => byId.get(obj.authorId) ?? null)
      },
      async tags(queries: readonly { readonly obj: Row }[]) {
        const byArticle = new Map<number, Named[]>()
        const ids = JSON.stringify(queries.map(({ obj }) => obj.id))
        for (const row of selectTags.all(ids) as (Named & { readonly articleId: number })[]) {
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
