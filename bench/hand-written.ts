// What a developer would write by hand for findOne: uWebSockets, a prepared SELECT on sql.js, JSON.stringify. And,
// under /raw, the same bytes from memory. Prints its port.

import { createRequire } from 'node:module'
import type { Database, SqlJsStatic } from 'sql.js'
import { loadUws } from '../src/http/uws-binding.ts'
import { ARTICLES, article, MOMENT } from './article-model.ts'

const require = createRequire(import.meta.url)
const initSqlJs = require('sql.js') as () => Promise<SqlJsStatic>

const database: Database = new (await initSqlJs()).Database()
database.run(`create table articles (id integer primary key, title text, slug text, summary text, views integer,
  rating real, featured integer, section text, day text, created_at integer, updated_at integer) strict`)
const moment = Date.parse(MOMENT)
for (let id = 1; id <= ARTICLES; id++) {
  const a = article(id)
  database.run('insert into articles values (?,?,?,?,?,?,?,?,?,?,?)', [
    id,
    a.title,
    a.slug,
    a.summary,
    a.views,
    a.rating,
    a.featured ? 1 : 0,
    a.section,
    a.day,
    moment,
    moment,
  ])
}

database.run(
  'create table authors (id integer primary key, name text, created_at integer, updated_at integer) strict',
)
database.run(
  'create table tags (id integer primary key, name text, created_at integer, updated_at integer) strict',
)
database.run(
  'create table article_author (article_id integer, author_id integer, primary key (article_id)) strict',
)
database.run(
  'create table article_tags (article_id integer, tag_id integer, place integer, primary key (article_id, place)) strict',
)
for (let id = 1; id <= 50; id++)
  database.run('insert into authors values (?,?,?,?)', [id, `Author ${id}`, moment, moment])
for (let id = 1; id <= 20; id++)
  database.run('insert into tags values (?,?,?,?)', [id, `Tag ${id}`, moment, moment])
for (let id = 1; id <= ARTICLES; id++) {
  database.run('insert into article_author values (?,?)', [id, (id % 50) + 1])
  database.run('insert into article_tags values (?,?,1), (?,?,2)', [
    id,
    (id % 20) + 1,
    id,
    ((id + 7) % 20) + 1,
  ])
}

const COLUMNS = 'id, title, slug, summary, views, rating, featured, section, day, created_at, updated_at'
const selectOne = database.prepare(`select ${COLUMNS} from articles where id = ?`)
const selectList = database.prepare(`select ${COLUMNS} from articles order by id limit 25`)
const selectFiltered = database.prepare(
  `select ${COLUMNS} from articles where views > ? order by views desc, id limit 25`,
)
const countAll = database.prepare('select count(*) from articles')
const countFiltered = database.prepare('select count(*) from articles where views > ?')

const selectAuthors = database.prepare(
  'select l.article_id, a.* from article_author l join authors a on a.id = l.author_id where l.article_id in (select value from json_each(?))',
)
const selectTags = database.prepare(
  'select l.article_id, t.* from article_tags l join tags t on t.id = l.tag_id where l.article_id in (select value from json_each(?)) order by l.article_id, l.place',
)

/** Rows `[article, id, name, created, updated]` by article. */
function related(select: typeof selectAuthors, ids: string): Map<unknown, unknown[]> {
  const byArticle = new Map<unknown, unknown[]>()
  select.bind([ids])
  while (select.step()) {
    const [article, id, name, created, updated] = select.get()
    const entry = {
      id,
      attributes: {
        name,
        createdAt: new Date(Number(created)).toISOString(),
        updatedAt: new Date(Number(updated)).toISOString(),
      },
    }
    const list = byArticle.get(article)
    if (list === undefined) byArticle.set(article, [entry])
    else list.push(entry)
  }
  select.reset()
  return byArticle
}

function listWithRelations(): string {
  const { data, meta } = listOf(selectList, countAll, [])
  const ids = JSON.stringify(data.map(({ id }) => id))
  const authors = related(selectAuthors, ids)
  const tags = related(selectTags, ids)
  for (const entry of data) {
    entry.attributes['author'] = { data: authors.get(entry.id)?.[0] ?? null }
    entry.attributes['tags'] = { data: tags.get(entry.id) ?? [] }
  }
  return JSON.stringify({ data, meta })
}

interface Entry {
  readonly id: unknown
  readonly attributes: Record<string, unknown>
  readonly meta: unknown
}

function toEntry(row: readonly unknown[]): Entry {
  const [id, title, slug, summary, views, rating, featured, section, day, created, updated] = row
  return {
    id,
    attributes: {
      title,
      slug,
      summary,
      views,
      rating,
      featured: featured === 1,
      section,
      day,
      createdAt: new Date(Number(created)).toISOString(),
      updatedAt: new Date(Number(updated)).toISOString(),
    },
    meta: { availableLocales: [] },
  }
}

function findOne(id: number): string {
  selectOne.bind([id])
  selectOne.step()
  const body = JSON.stringify({ data: toEntry(selectOne.get()), meta: {} })
  selectOne.reset()
  return body
}

function listOf(
  select: typeof selectList,
  count: typeof countAll,
  values: number[],
): { data: Entry[]; meta: unknown } {
  select.bind(values)
  const data: Entry[] = []
  while (select.step()) data.push(toEntry(select.get()))
  select.reset()
  count.bind(values)
  count.step()
  const total = Number(count.get()[0])
  count.reset()
  return { data, meta: { pagination: { page: 1, pageSize: 25, pageCount: Math.ceil(total / 25), total } } }
}

function list(select: typeof selectList, count: typeof countAll, values: number[]): string {
  return JSON.stringify(listOf(select, count, values))
}

function answer(url: string, query: string): string {
  if (url === '/raw') return fixed
  if (url !== '/api/articles') return findOne(Number(url.slice('/api/articles/'.length)))
  if (query === '') return list(selectList, countAll, [])
  return query.startsWith('populate') ? listWithRelations() : list(selectFiltered, countFiltered, [5000])
}

const uws = loadUws()
const fixed = findOne(1)
uws
  .App()
  .any('/*', (response, request) => {
    response.onAborted(() => {})
    const body = answer(request.getUrl(), request.getQuery() || '')
    response.cork(() => {
      response.writeHeader('content-type', 'application/json; charset=utf-8').end(body)
    })
  })
  .listen('127.0.0.1', 0, uws.LIBUS_LISTEN_EXCLUSIVE_PORT, (socket) => {
    if (socket === false) throw new Error('cannot listen')
    console.log(uws.us_socket_local_port(socket))
  })
