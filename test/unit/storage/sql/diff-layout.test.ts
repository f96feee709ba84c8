import { describe, expect, test } from 'vitest'
import type { Column, ColumnType, Index, Layout, Table } from '../../../../src/storage/sql/layout.ts'
import {
  applyChanges,
  diffLayout,
  type LayoutChange,
} from '../../../../src/storage/sql/migrations/diff-layout.ts'
import type { StoredLayout, StoredTable } from '../../../../src/storage/sql/migrations/stored-layout.ts'

function column(name: string, type: ColumnType, references?: string): Column {
  return { name, type, nullable: true, origin: `t.${name}`, ...(references !== undefined && { references }) }
}

const ID: Column = { name: 'id', type: 'id', nullable: false, origin: undefined }

function table(name: string, columns: readonly Column[], indexes: readonly Index[] = []): Table {
  return { name, columns: [ID, ...columns], indexes }
}

function layout(...tables: readonly StoredTable[]): Layout & StoredLayout {
  return { tables: new Map(tables.map((each) => [each.name, each])) }
}

const unique: Index = { name: 'a_x_unique', columns: ['x'], unique: true }
const x = column('x', 'text')
const hiddenX = { ...x, hidden: true }

function summary(change: LayoutChange): string {
  switch (change.kind) {
    case 'drop-index':
    case 'create-index':
      return `${change.kind} ${change.index.name}`
    case 'replace-table':
      return `${change.kind} ${change.table.name} (${change.effect}) aside ${change.aside}`
    case 'set-column-aside':
      return `${change.kind} ${change.table.name}.${change.column.name} aside ${change.aside}`
    case 'convert-column':
      return `${change.kind} ${change.table.name}.${change.column.name} ${change.before.type} to ${change.column.type} (${change.effect})`
    case 'add-column':
    case 'show-column':
    case 'hide-column':
      return `${change.kind} ${change.table.name}.${change.column.name}`
    default:
      return `${change.kind} ${change.table.name}`
  }
}

describe('diffLayout', () => {
  for (const [name, before, after, expected] of [
    [
      'a first layout creates everything',
      undefined,
      layout(table('a', [x], [unique])),
      ['create-table a', 'create-index a_x_unique'],
    ],
    [
      'the same layout changes nothing',
      layout(table('a', [x], [unique])),
      layout(table('a', [x], [unique])),
      [],
    ],
    ['a type is added', layout(table('a', [x])), layout(table('a', [x]), table('b', [])), ['create-table b']],
    ['a type is removed', layout(table('a', [x]), table('b', [])), layout(table('a', [x])), ['hide-table b']],
    [
      'removed types go children first',
      layout(table('a', []), table('l', [column('s', 'reference', 'a')])),
      layout(),
      ['hide-table l', 'hide-table a'],
    ],
    ['a hidden type stays hidden', layout({ ...table('b', []), hidden: true }), layout(), []],
    [
      'a hidden type comes back',
      layout({ ...table('b', [x]), hidden: true }),
      layout(table('b', [x])),
      ['show-table b'],
    ],
    [
      'a hidden type comes back with another attribute type',
      layout({ ...table('b', [x]), hidden: true }),
      layout(table('b', [column('x', 'integer')])),
      ['show-table b', 'set-column-aside b.x aside x__kept_1', 'add-column b.x'],
    ],
    [
      'an attribute is added',
      layout(table('a', [])),
      layout(table('a', [x], [unique])),
      ['add-column a.x', 'create-index a_x_unique'],
    ],
    [
      'an attribute is removed, its index goes first',
      layout(table('a', [x], [unique])),
      layout(table('a', [])),
      ['drop-index a_x_unique', 'hide-column a.x'],
    ],
    ['a hidden attribute stays hidden', layout(table('a', [hiddenX])), layout(table('a', [])), []],
    [
      'a hidden attribute comes back',
      layout(table('a', [hiddenX])),
      layout(table('a', [x])),
      ['show-column a.x'],
    ],
    [
      'a hidden attribute comes back with another type',
      layout(table('a', [hiddenX])),
      layout(table('a', [column('x', 'json')])),
      ['set-column-aside a.x aside x__kept_1', 'add-column a.x'],
    ],
    [
      'a name that is taken is passed over',
      layout(table('a', [hiddenX, { ...column('x__kept_1', 'text'), hidden: true }])),
      layout(table('a', [column('x', 'json')])),
      ['set-column-aside a.x aside x__kept_2', 'add-column a.x'],
    ],
    [
      'an attribute changes its type',
      layout(table('a', [x], [unique])),
      layout(table('a', [column('x', 'integer')], [unique])),
      ['drop-index a_x_unique', 'convert-column a.x text to integer (convert)', 'create-index a_x_unique'],
    ],
    [
      'to one that means nothing of the old',
      layout(table('a', [column('x', 'time')])),
      layout(table('a', [column('x', 'boolean')])),
      ['convert-column a.x time to boolean (refused)'],
    ],
    [
      'unique is added',
      layout(table('a', [x])),
      layout(table('a', [x], [unique])),
      ['create-index a_x_unique'],
    ],
    [
      'unique is removed',
      layout(table('a', [x], [unique])),
      layout(table('a', [x])),
      ['drop-index a_x_unique'],
    ],
    [
      'an index changes under its name',
      layout(table('a', [x], [{ ...unique, unique: false }])),
      layout(table('a', [x], [unique])),
      ['drop-index a_x_unique', 'create-index a_x_unique'],
    ],
    [
      'a relation points at another type',
      layout(table('a', []), table('b', []), table('l', [column('t', 'reference', 'a')])),
      layout(table('a', []), table('b', []), table('l', [column('t', 'reference', 'b')])),
      ['replace-table l (refused) aside l__kept_1'],
    ],
    [
      'a hidden relation comes back to another type',
      layout(table('a', []), table('b', []), {
        ...table('l', [column('t', 'reference', 'a')]),
        hidden: true,
      }),
      layout(table('a', []), table('b', []), table('l', [column('t', 'reference', 'b')])),
      ['replace-table l (expand) aside l__kept_1'],
    ],
  ] as const) {
    test(name, () => {
      expect(diffLayout(before, after).map(summary)).toEqual(expected)
    })
  }

  test('what is kept is part of the layout afterwards, and changes nothing more', () => {
    const before = layout(table('a', [x]), table('b', [x]))
    const after = layout(table('a', []))
    const stored = applyChanges(before, after, diffLayout(before, after))
    expect(stored.tables.get('a')?.columns).toEqual([ID, hiddenX])
    expect(stored.tables.get('b')?.hidden).toBe(true)
    expect(diffLayout(stored, after)).toEqual([])
  })

  test('what was set aside keeps its values under another name', () => {
    const before = layout(table('a', [hiddenX]))
    const after = layout(table('a', [column('x', 'integer')]))
    const stored = applyChanges(before, after, diffLayout(before, after))
    expect(stored.tables.get('a')?.columns.map(({ name, type, hidden }) => [name, type, hidden])).toEqual([
      ['id', 'id', undefined],
      ['x', 'integer', undefined],
      ['x__kept_1', 'text', true],
    ])
  })
})
