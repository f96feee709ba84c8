// `database: sqlite`, `database: .data/shop.db`, `database: postgres://…`.

import type { Expansion } from './expansion.ts'

const DEFAULT_FILE = '.data/cms.db'

export function expandDatabase(expansion: Expansion): void {
  const value = expansion.at(['database'])
  if (typeof value !== 'string') return
  if (/^postgres(?:ql)?:\/\//.test(value)) {
    expansion.replace(['database'], { client: 'postgres', connection: value }, [[['connection'], []]])
  } else if (value === 'sqlite') {
    expansion.replace(['database'], { client: 'sqlite', filename: DEFAULT_FILE })
  } else if (/^[^\n:]+\.(?:db|sqlite3?)$/.test(value)) {
    expansion.replace(['database'], { client: 'sqlite', filename: value }, [[['filename'], []]])
  } else if (value === 'memory' || value === 'postgres') {
    expansion.replace(['database'], { client: value }, [[['client'], []]])
  }
}
