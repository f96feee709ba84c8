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

const COLUMNS = 'id, title, slug, summary, views, rating, featured, section, day, created_at, updated_at'
const selectOne = database.prepare(`select ${COLUMNS} from articles where id = ?`)
const selectList = database.prepare(`select ${COLUMNS} from articles order by id limit 25`)
const selectFiltered = database.prepare(
  `select ${COLUMNS} from articles where views > ? order by views desc, id limit 25`,
)
const countAll = database.prepare('select count(*) from articles')
const countFiltered = database.prepare('select count(*) from articles where views > ?')

function toEntry(row: readonly unknown[]): unknown {
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

function list(select: typeof selectList, count: typeof countAll, values: number[]): string {
  select.bind(values)
  const data = []
  while (select.step()) data.push(toEntry(select.get()))
  select.reset()
  count.bind(values)
  count.step()
  const total = Number(count.get()[0])
  count.reset()
  const pagination = { page: 1, pageSize: 25, pageCount: Math.ceil(total / 25), total }
  return JSON.stringify({ data, meta: { pagination } })
}

const uws = loadUws()
const fixed = findOne(1)
uws
  .App()
  .any('/*', (response, request) => {
    response.onAborted(() => {})
    const url = request.getUrl()
    const body =
      url === '/raw'
        ? fixed
        : url === '/api/articles'
          ? (request.getQuery() || '') === ''
            ? list(selectList, countAll, [])
            : list(selectFiltered, countFiltered, [5000])
          : findOne(Number(url.slice('/api/articles/'.length)))
    response.cork(() => {
      response.writeHeader('content-type', 'application/json; charset=utf-8').end(body)
    })
  })
  .listen('127.0.0.1', 0, uws.LIBUS_LISTEN_EXCLUSIVE_PORT, (socket) => {
    if (socket === false) throw new Error('cannot listen')
    console.log(uws.us_socket_local_port(socket))
  })
