// Counts statements by kind, and measures the connection pool.

import type { Database, Step } from '../../storage/database.ts'
import { observeStatements } from '../../storage/observe-statements.ts'
import type { Counter, Metrics } from '../metrics/metrics.ts'

const KINDS = ['select', 'insert', 'update', 'delete'] as const

export function measureDatabase(metrics: Metrics, database: Database): Database {
  const statements = metrics.counter('cms_database_statements_total', 'Statements, by what they do.', [
    'kind',
  ])
  const [select, insert, update, deletes, other] = [...KINDS, 'other'].map((kind) => statements.of(kind))
  /** The server writes statements in lower case; `with` begins a select. */
  const getCounter = (text: string): Counter | undefined => {
    switch (text.charCodeAt(0)) {
      case 115 /* s */:
      case 119 /* w */:
        return select
      case 105 /* i */:
        return insert
      case 117 /* u */:
        return update
      case 100 /* d */:
        return deletes
      default:
        return other
    }
  }

  const { server } = database
  if (server !== undefined) {
    metrics.gauge(
      'cms_database_connections',
      'Connections of the pool by state, requests that wait for one, and the limit.',
      ['state'],
      () => {
        const { open, idle, waiting, limit } = server.poolUse
        return [
          [['busy'], open - idle],
          [['idle'], idle],
          [['waiting'], waiting],
          [['limit'], limit],
        ]
      },
    )
  }
  const observer = ({ statement }: Step): undefined => {
    getCounter(statement.text)?.add()
  }
  return observeStatements(database, () => observer)
}
