// MySQL and MariaDB for `ServerDatabase`: sessions are repeatable read, so that a read costs least, and writes ask for read
// committed.

import { createCompiler } from '../../sql/kysely-compiler.ts'
import { command, LONG_TIMEOUT_MS, type SentStatement, type ServerEngine } from '../server/server-engine.ts'
import type { Connections } from './connections.ts'
import { countPlaceholders } from './list-placeholders.ts'
import { COLLATIONS, createMysqlDialect, LOCKS, lockName, type Product } from './mysql-dialect.ts'
import { buildFailure, getFailureKind } from './mysql-failure.ts'
import { buildTimeouts } from './session-settings.ts'

const BEGIN_READ = command('start transaction with consistent snapshot, read only')
const BEGIN_WRITE: readonly SentStatement[] = [
  command('set transaction isolation level read committed'),
  command('start transaction read write'),
]

/** No table has these names. */
const QUEUE = '*'
const ALONE = '* alone'

export function createMysqlEngine(
  product: Product,
  connections: Connections,
  openOwnConnections: () => Connections,
): ServerEngine {
  const { timeout } = connections.settings
  const dialect = createMysqlDialect(product)
  const patience = buildTimeouts(product, LONG_TIMEOUT_MS)
  const lock = (name: string): SentStatement => command(createCompiler(dialect)(lockName(name)).text)
  const makeLocks = command(
    `create table if not exists ${LOCKS} (name varchar(64) character set utf8mb4 collate ${COLLATIONS[product]} primary key) engine=InnoDB`,
  )
  return {
    dialect,
    connections,
    replicas: undefined,
    openOwnConnections,
    listen: () => undefined,
    steps: {
      beginSingleRead: [],
      endSingleRead: [],
      beginRead: [BEGIN_READ],
      beginWrite: BEGIN_WRITE,
      beginHold: BEGIN_WRITE,
      beginPatience: [patience],
      endPatience: [buildTimeouts(product, timeout)],
      // Each start makes the rows before others lock them: two that insert the same one at once may be a deadlock.
      beginAlone: [patience, makeLocks, lock(QUEUE), ...BEGIN_WRITE, lock(ALONE)],
      beginOneState: [patience, BEGIN_READ],
      queue: [lock(QUEUE)],
    },
    countPlaceholders,
    getFailureKind,
    buildFailure,
  }
}
