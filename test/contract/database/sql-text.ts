// Statements for tests, in the dialect of the database under test: a template with column types where values
// stand, and with the dialect's own forms where these are what is tested.

import { sql } from 'kysely'
import type { Dialect, Fragment } from '../../../src/storage/sql/dialect.ts'
import { createCompiler } from '../../../src/storage/sql/kysely-compiler.ts'
import type { ColumnType } from '../../../src/storage/sql/layout.ts'
import type { Statement } from '../../../src/storage/sql/statement.ts'

type Matcher = 'contains' | 'startsWith' | 'endsWith' | 'equalIgnoringCase'

type Part =
  /** A placeholder of this type. */
  | ColumnType
  | { readonly select: ColumnType; readonly column: string }
  | { readonly matcher: Matcher; readonly column: string; readonly ignoresCase: boolean }
  | { readonly list: ColumnType; readonly column: string }
  | { readonly order: string; readonly descending: boolean }

export interface TestStatement extends Statement {
  readonly placeholders: number
}

type Template = (texts: TemplateStringsArray, ...parts: readonly Part[]) => TestStatement

/** Writes statements of a dialect. */
export function sqlOf(dialect: Dialect): Template {
  return (texts, ...parts) => write(dialect, texts, parts)
}

function write(dialect: Dialect, texts: TemplateStringsArray, parts: readonly Part[]): TestStatement {
  const fragments = texts.flatMap((text, index): Fragment[] => {
    const part = parts[index]
    return part === undefined ? [sql.raw(text)] : [sql.raw(text), fragmentOf(dialect, part)]
  })
  const { text, parameters } = createCompiler(dialect)(sql.join(fragments, sql``))
  return { text, returns: true, placeholders: parameters.length }
}

const VALUE = sql`${null}`

function fragmentOf(dialect: Dialect, part: Part): Fragment {
  if (typeof part === 'string') return dialect.bind(part, VALUE)
  if ('select' in part) return dialect.select(part.select, sql.ref(part.column))
  if ('list' in part) return dialect.inList(part.list, sql.ref(part.column), VALUE)
  if ('order' in part) return dialect.order(sql.ref(part.order), part.descending, true)
  if (part.matcher === 'equalIgnoringCase') return dialect.equalIgnoringCase(sql.ref(part.column), VALUE)
  return dialect[part.matcher](sql.ref(part.column), VALUE, part.ignoresCase)
}
