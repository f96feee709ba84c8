// By hand, over the tables of cms-run on a server: uWebSockets, the pool of `pg` or `mysql2` with prepared statements, queries
// that need not wait for each other at once, JSON.stringify. Arguments: client, connection. Prints its port.

import mysql from 'mysql2/promise'
import pg from 'pg'
import { loadUws } from '../../src/http/uws/uws-binding.ts'

type Row = Record<string, unknown>

const [client = 'postgres', connection = '', schema = 'public'] = process.argv.slice(2)

/** `?` for each value; a list is one value. */
const ask: (text: string, values: readonly unknown[]) => Promise<readonly Row[]> =
  client === 'mysql' ? askMysql() : askPostgres()

function askMysql() {
  const pool = mysql.createPool({ uri: connection, connectionLimit: 10, dateStrings: true })
  return async (text: string, values: readonly unknown[]) => {
    const all = values.flatMap((value) => (Array.isArray(value) ? value : [value]))
    const listed = text.replace('= any(?)', `in (${Array(25).fill('?').join()})`)
    const [rows] = await pool.execute<mysql.RowDataPacket[]>(listed, all as never)
    return rows
  }
}

function askPostgres() {
  const options = `-c search_path=${schema}`
  const pool = new pg.Pool({ connectionString: connection, max: 10, options })
  const names = new Map<string, string>()
  return async (text: string, values: readonly unknown[]) => {
    let number = 0
    const numbered = text.replaceAll('?', () => `$${++number}`)
    const name = names.get(text) ?? `q${names.size}`
    names.set(text, name)
    return (await pool.query({ name, text: numbered, values: [...values] })).rows as Row[]
  }
}

const COLUMNS = 'id, title, slug, summary, views, rating, featured, section, day, created_at, updated_at'
const moment = (value: unknown): string => new Date(value as string | number).toISOString()

function toEntry({ id, created_at: created, updated_at: updated, featured, ...rest }: Row) {
  const attributes: Row = {
    ...rest,
    featured: featured === true || featured === 1,
    createdAt: moment(created),
    updatedAt: moment(updated),
  }
  return { id: Number(id), attributes }
}

async function findOne(id: number): Promise<object> {
  const [row] = await ask(`select ${COLUMNS} from articles where id = ?`, [id])
  return { data: row === undefined ? null : toEntry(row), meta: {} }
}

async function list(start: number, populates: boolean): Promise<object> {
  const [rows, [count]] = await Promise.all([
    ask(`select ${COLUMNS} from articles order by id limit 25 offset ?`, [start]),
    ask('select count(*) as total from articles', []),
  ])
  const data = rows.map(toEntry)
  if (populates) await addRelations(data)
  return { data, meta: { pagination: { start, limit: 25, total: Number(count?.['total']) } } }
}

async function addRelations(data: readonly ReturnType<typeof toEntry>[]): Promise<void> {
  const ids = data.map(({ id }) => id)
  const related = async (table: string, other: string, links: string, order: string) => {
    const found = new Map<number, object[]>()
    const rows = await ask(
      `select l.source_id, t.id, t.name, t.created_at, t.updated_at from ${links} l join ${table} t on t.id = l.target_id where l.source_id = any(?)${order}`,
      [ids],
    )
    for (const { source_id: source, id, name, created_at: created, updated_at: updated } of rows) {
      const entry = { id, attributes: { name, createdAt: moment(created), updatedAt: moment(updated) } }
      found.set(Number(source), [...(found.get(Number(source)) ?? []), entry])
    }
    return { other, found }
  }
  const [authors, tags] = await Promise.all([
    related('authors', 'author', 'articles_author_links', ''),
    related('tags', 'tags', 'articles_tags_links', ' order by l.source_id, l.target_order'),
  ])
  for (const { id, attributes } of data) {
    attributes['author'] = { data: authors.found.get(id)?.[0] ?? null }
    attributes['tags'] = { data: tags.found.get(id) ?? [] }
  }
}

function answer(url: string, query: string): Promise<object> {
  if (url !== '/api/articles') return findOne(Number(url.slice('/api/articles/'.length)))
  const start = Number(/pagination\[start\]=(\d+)/.exec(query)?.[1] ?? 0)
  return list(start, query.startsWith('populate'))
}

const uws = loadUws()
uws
  .App()
  .any('/*', (response, request) => {
    let isGone = false
    response.onAborted(() => {
      isGone = true
    })
    void answer(request.getUrl(), request.getQuery() || '').then((body) => {
      if (isGone) return
      response.cork(() => {
        response.writeHeader('content-type', 'application/json; charset=utf-8').end(JSON.stringify(body))
      })
    })
  })
  .listen('127.0.0.1', 0, uws.LIBUS_LISTEN_EXCLUSIVE_PORT, (socket) => {
    if (socket === false) throw new Error('cannot listen')
    console.log(uws.us_socket_local_port(socket))
  })
