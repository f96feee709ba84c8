// The statements of writes, as each database is asked: `writes/*.case`. The line that is given names the statement.

import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type {
  ComponentAttribute,
  MediaAttribute,
  RelationAttribute,
  ScalarAttribute,
} from '../../../../src/model/attribute.ts'
import { postgresDialect } from '../../../../src/storage/drivers/postgres/postgres-dialect.ts'
import { sqliteDialect } from '../../../../src/storage/drivers/sqlite/sqlite-dialect.ts'
import { buildLayout } from '../../../../src/storage/sql/build-layout.ts'
import { createWriteStatements, type WriteStatements } from '../../../../src/storage/sql/compile-write.ts'
import type { Links } from '../../../../src/storage/sql/join-tables.ts'
import type { Statement } from '../../../../src/storage/sql/statement.ts'
import { runTables } from '../../../support/table-file.ts'
import { model, typeOf } from '../../plan/library.ts'
import { inLines } from './sql-lines.ts'

const layout = buildLayout(model)
const book = typeOf('book')
const page = typeOf('page')

function scalar(name: string): ScalarAttribute {
  const attribute = name === 'id' ? book.id : book.attributes.get(name)
  if (attribute?.kind !== 'scalar') throw new Error(`no column ${name}`)
  return attribute
}

function linksOf(type: string, name: string): Links {
  return layout.getLinkTable(typeOf(type).attributes.get(name) as RelationAttribute | MediaAttribute)
}

const tags = linksOf('book', 'tags')
const books = linksOf('author', 'books')
const author = linksOf('book', 'author')
const about = layout.getMorphs(book.attributes.get('about') as RelationAttribute)
const places = layout.getPlaces(book.attributes.get('seo') as ComponentAttribute)

const made: Readonly<Record<string, (statements: WriteStatements) => Statement | undefined>> = {
  'insertRow title, pages, lent': (s) => s.insertRow(book, ['title', 'pages', 'lent'].map(scalar)),
  'insertRow id, copies': (s) => s.insertRow(book, ['id', 'copies'].map(scalar)),
  insertRow: (s) => s.insertRow(book, []),
  'updateRow title, acquired': (s) => s.updateRow(book, ['title', 'acquired'].map(scalar)),
  updateRow: (s) => s.updateRow(book, []),
  lockRow: (s) => s.lockRow(book),
  lockTable: (s) => s.lockTable(book),
  'copyColumns title, pages': (s) => s.copyColumns(book, ['title', 'pages'].map(scalar)),
  'copyRow title, pages': (s) => s.copyRow(book, ['title', 'pages'].map(scalar)),
  deleteRow: (s) => s.deleteRow(book),
  'stateOf book': (s) => s.getState(book, undefined),
  'stateOf page': (s) => s.getState(page, page.publishedAt),
  everyId: (s) => s.everyId(book),
  existing: (s) => s.existing(book),
  'valuesOf title': (s) => s.getValues(book, scalar('title')),
  'withValues isbn': (s) => s.withValues(book, [scalar('isbn')], new Set([scalar('isbn')]), undefined),
  'withValues isbn and stored title': (s) =>
    s.withValues(book, [scalar('isbn'), scalar('title')], new Set([scalar('isbn')]), undefined),
  'withValues title of page': (s) => {
    const title = page.attributes.get('title') as ScalarAttribute
    return s.withValues(page, [title], new Set([title]), page.locale)
  },
  'together title and author': (s) =>
    s.together(book, {
      columns: ['title'],
      links: [{ table: 'books_author_links', near: 'source_id', far: 'target_id', origin: 'author' }],
    }),
  'nextSuffix slug': (s) => s.nextSuffix(book, scalar('slug'), undefined),
  'rowWith isbn': (s) => s.rowWith(book, scalar('isbn'), ['title', 'secret'].map(scalar)),
  'linksFrom book.tags': (s) => s.linksFrom(tags),
  'linksFrom book.author': (s) => s.linksFrom(author),
  'linksFrom author.books': (s) => s.linksFrom(books),
  'insertLinks book.tags': (s) => s.insertLinks(tags),
  'insertLinks book.author': (s) => s.insertLinks(author),
  'orderLinks book.tags': (s) => s.orderLinks(tags),
  'deleteLinks book.tags': (s) => s.deleteLinks(tags),
  'releaseFar author.books': (s) => s.releaseFar(books),
  'morphsFrom book.about': (s) => s.morphsFrom(about),
  'insertMorphs book.about': (s) => s.insertMorphs(about),
  'orderMorphs book.about': (s) => s.orderMorphs(about),
  'deleteMorphs book.about': (s) => s.deleteMorphs(about),
  'releaseMorphs book.about': (s) => s.releaseMorphs(about),
  placesOf: (s) => s.getPlaces(places),
  holderOf: (s) => s.getSchemaId(places),
  insertPlace: (s) => s.insertPlace(places),
  movePlace: (s) => s.movePlace(places),
  deletePlace: (s) => s.deletePlace(places),
}

runTables(join(dirname(fileURLToPath(import.meta.url)), 'writes'), ([name = '']) =>
  [sqliteDialect, postgresDialect]
    .flatMap((dialect) => {
      const make = made[name]
      if (make === undefined) throw new Error(`no statement ${name}`)
      const statement = make(createWriteStatements(dialect))
      const rows = statement?.returns === true ? ', returns rows' : ''
      return [
        `-- ${dialect.name}${rows}`,
        ...(statement === undefined ? ['(none)'] : inLines(statement.text)),
      ]
    })
    .join('\n'),
)
