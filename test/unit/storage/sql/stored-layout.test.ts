import { expect, test } from 'vitest'
import { columnTypes } from '../../../../src/storage/sql/layout.ts'
import {
  formatLayout,
  parseLayout,
  type StoredTable,
} from '../../../../src/storage/sql/migrations/stored-layout.ts'

const tables: readonly StoredTable[] = [
  {
    name: 'a',
    columns: [
      { name: 'id', type: 'id', nullable: false, origin: undefined },
      { name: 'x', type: 'text', nullable: true, origin: 'a.x', hidden: true },
    ],
    indexes: [{ name: 'i', columns: ['x'], unique: true }],
  },
  {
    name: 'l',
    columns: [{ name: 's', type: 'reference', nullable: false, origin: undefined, references: 'a' }],
    indexes: [],
    hidden: true,
  },
]

test('a layout comes back as it was', () => {
  const layout = { tables: new Map(tables.map((table) => [table.name, table])) }
  expect(parseLayout(formatLayout(layout))).toEqual(layout)
})

test('columns of every type come back', () => {
  const columns = columnTypes.map((type) => ({ name: type, type, nullable: true, origin: undefined }))
  const layout = { tables: new Map([['t', { name: 't', columns, indexes: [] }]]) }
  expect(parseLayout(formatLayout(layout))).toEqual(layout)
})

for (const [name, text] of [
  ['no JSON', '{'],
  ['no object', '[]'],
  ['another version', '{"version":2,"tables":[]}'],
  ['no tables', '{"version":1}'],
  ['a table without columns', '{"version":1,"tables":[{"name":"a","indexes":[]}]}'],
  [
    'a column of an unknown type',
    '{"version":1,"tables":[{"name":"a","columns":[{"name":"x","type":"uuid"}],"indexes":[]}]}',
  ],
  ['an index without columns', '{"version":1,"tables":[{"name":"a","columns":[],"indexes":[{"name":"i"}]}]}'],
] as const) {
  test(`what is none is refused: ${name}`, () => expect(parseLayout(text)).toBeUndefined())
}
