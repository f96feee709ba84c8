// What a developer would write by hand for reads: uWebSockets, a prepared SELECT on sql.js, JSON.stringify. And, under
// /raw, bytes from memory: those that were sent there with PUT. Prints its port.

import { createRequire } from 'node:module'
import type { Database, SqlJsStatic } from 'sql.js'
import { loadUws } from '../../src/http/uws/uws-binding.ts'
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
const selectList = database.prepare(`select ${COLUMNS} from articles order by id limit 25 offset ?`)
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

function addRelations(data: readonly Entry[]): void {
  const ids = JSON.stringify(data.map(({ id }) => id))
  const authors = related(selectAuthors, ids)
  const tags = related(selectTags, ids)
  for (const entry of data) {
    entry.attributes['author'] = { data: authors.get(entry.id)?.[0] ?? null }
    entry.attributes['tags'] = { data: tags.get(entry.id) ?? [] }
  }
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

/** `counted`: the values of the count; `start`: what was asked, if anything was. */
function listOf(
  select: typeof selectList,
  values: number[],
  count: typeof countAll,
  counted: number[],
  start?: number,
): { data: Entry[]; meta: unknown } {
  select.bind(values)
  const data: Entry[] = []
  while (select.step()) data.push(toEntry(select.get()))
  select.reset()
  count.bind(counted)
  count.step()
  const total = Number(count.get()[0])
  count.reset()
  const pages = { page: 1, pageSize: 25, pageCount: Math.ceil(total / 25), total }
  return { data, meta: { pagination: start === undefined ? pages : { start, limit: 25, total } } }
}

function answer(url: string, query: string): string {
  if (url !== '/api/articles') return findOne(Number(url.slice('/api/articles/'.length)))
  const views = numberIn(/filters\[views\]\[\$gt\]=(\d+)/, query)
  if (views !== undefined) return JSON.stringify(listOf(selectFiltered, [views], countFiltered, [views]))
  const start = numberIn(/pagination\[start\]=(\d+)/, query)
  const list = listOf(selectList, [start ?? 0], countAll, [], start)
  if (query.startsWith('populate')) addRelations(list.data)
  return JSON.stringify(list)
}

function numberIn(pattern: RegExp, query: string): number | undefined {
  const [, found] = pattern.exec(query) ?? []
  return found === undefined ? undefined : Number(found)
}

const uws = loadUws()
const raw = new Map<string, Buffer>()
uws
  .App()
  .any('/raw/*', (response, request) => {
    const url = request.getUrl()
    const method = request.getCaseSensitiveMethod()
    const send = (): void => {
      response.cork(() => {
        const body = raw.get(url)
        if (body === undefined || body.length === 0) response.writeStatus('204 No Content').endWithoutBody()
        else response.writeHeader('content-type', 'application/json; charset=utf-8').end(body)
      })
    }
    response.onAborted(() => {})
    if (method === 'GET') return send()
    const sent: Buffer[] = []
    response.onData((chunk, isLast) => {
      if (method === 'PUT') sent.push(Buffer.from(new Uint8Array(chunk)))
      if (!isLast) return
      if (method === 'PUT') raw.set(url, Buffer.concat(sent))
      send()
    })
  })
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
