import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { sqliteDialect } from '../../../src/storage/drivers/sqlite/sqlite-dialect.ts'
import { createCompiler } from '../../../src/storage/sql/kysely-compiler.ts'
import type { Table } from '../../../src/storage/sql/layout.ts'
import { createDdl } from '../../../src/storage/sql/migrations/ddl.ts'

const compile = createCompiler(sqliteDialect)
const ddl = createDdl(sqliteDialect)

const table: Table = {
  name: 'articles',
  columns: [
    { name: 'id', type: 'id', nullable: false, origin: undefined },
    { name: 'title', type: 'text', nullable: true, origin: 'article.title' },
    { name: 'author_id', type: 'reference', nullable: false, origin: undefined, references: 'authors' },
    { name: 'place', type: 'order', nullable: false, origin: undefined },
  ],
  indexes: [],
}

describe('the compiler', () => {
  test('puts names into backticks, and no name ends its quotes', () => {
    expect(compile(sql`select ${sql.ref('a.b`c')}`).text).toBe('select `a`.`b``c`')
  })

  test('hands parameters through as they are', () => {
    const slot = { slot: 1 }
    const compiled = compile(sql`select ${slot} + ${slot}`)
    expect(compiled).toEqual({ text: 'select ? + ?', parameters: [slot, slot] })
    expect(compiled.parameters[0]).toBe(slot)
  })
})

describe('DDL', () => {
  for (const [name, statement, text] of [
    [
      'create table',
      ddl.createTable(table),
      'create table `articles` (`id` integer primary key autoincrement, `title` text, `author_id` integer not null references `authors` (`id`) on delete cascade, `place` real) strict',
    ],
    ['drop table', ddl.dropTable({ ...table, indexes: [] }), 'drop table `articles`'],
    ['rename table', ddl.renameTable('articles', 'a'), 'alter table `articles` rename to `a`'],
    [
      'add column',
      ddl.addColumn('articles', { name: 'n', type: 'boolean', nullable: true, origin: undefined }),
      'alter table `articles` add column `n` integer',
    ],
    ['drop column', ddl.dropColumn('articles', 'title'), 'alter table `articles` drop column `title`'],
    [
      'rename column',
      ddl.renameColumn('articles', 'title', 'name'),
      'alter table `articles` rename column `title` to `name`',
    ],
    [
      'create index',
      ddl.createIndex(table, { name: 'i', columns: ['title', 'place'], unique: false }),
      'create index `i` on `articles` (`title`, `place`)',
    ],
    [
      'create unique index',
      ddl.createIndex(table, { name: 'i', columns: ['title'], unique: true }),
      'create unique index `i` on `articles` (`title`)',
    ],
    ['drop index', ddl.dropIndex(table, { name: 'i', columns: ['title'], unique: false }), 'drop index `i`'],
  ] as const) {
    test(name, () => expect([statement].flat()).toEqual([{ text, returns: false }]))
  }
})

describe('encode', () => {
  for (const [value, encoded] of [
    [true, 1],
    [false, 0],
    ['x', 'x'],
    [1.5, 1.5],
    [2n ** 62n, 2n ** 62n],
    [null, null],
  ] as const) {
    test(String(value), () => expect(sqliteDialect.encode('text', value)).toBe(encoded))
  }

  test('a list is no single value', () => {
    expect(() => sqliteDialect.encode('text', ['x'])).toThrow('a list was given')
  })

  test('a list is JSON, with whole numbers of 64 bits exact and without nulls', () => {
    expect(sqliteDialect.encodeList('text', ['a"', 1, 2n ** 63n - 1n, true, null])).toBe(
      '["a\\"",1,9223372036854775807,1]',
    )
  })
})
