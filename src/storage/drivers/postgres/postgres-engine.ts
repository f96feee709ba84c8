// PostgreSQL for `ServerDatabase`: reads are repeatable read. A pooler shares sessions, so there each
// transaction sends the settings.

import { createHash } from 'node:crypto'
import { command, LONG_TIMEOUT_MS, type SentStatement, type ServerEngine } from '../server/server-engine.ts'
import { COMMIT } from '../server/transaction-steps.ts'
import { buildTransactionSettings } from './connection-settings.ts'
import type { Connections } from './connections.ts'
import { listen } from './listening.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { buildFailure, getFailureKind } from './postgres-failure.ts'
import { Replicas } from './replicas.ts'

const BEGIN_READ = command('begin isolation level repeatable read read only')
const BEGIN_WRITE = command('begin isolation level read committed read write')

const LONG_STATEMENTS = command(`set local statement_timeout = ${LONG_TIMEOUT_MS}`)
const LASTING = [command('set local idle_in_transaction_session_timeout = 0'), LONG_STATEMENTS]
/** Milliseconds; users' code is itself stopped earlier. */
const MAX_IDLE_MS = 60_000

/** The first keys of advisory locks; the second key comes from the schema. */
const TRYING_AGAIN = 0x63_6d_73_01
const ALONE = 0x63_6d_73_02

export function createPostgresEngine(
  connections: Connections,
  replicas: readonly Connections[],
  openOwnConnections: () => Connections,
): ServerEngine {
  const { settings } = connections
  const sent = settings.pooler ? [command(buildTransactionSettings(settings))] : []
  return {
    dialect: postgresDialect,
    connections,
    replicas: new Replicas(connections, replicas),
    openOwnConnections,
    listen: (woken) => (settings.pooler ? undefined : listen(settings, woken)),
    steps: {
      beginSingleRead: settings.pooler ? [BEGIN_READ, ...sent] : [],
      endSingleRead: settings.pooler ? [COMMIT] : [],
      beginRead: [BEGIN_READ, ...sent],
      beginWrite: [BEGIN_WRITE, ...sent],
      beginHold: [
        BEGIN_WRITE,
        ...sent,
        command(`set local idle_in_transaction_session_timeout = ${MAX_IDLE_MS}`),
      ],
      beginPatience: [LONG_STATEMENTS],
      endPatience: [],
      beginAlone: [BEGIN_WRITE, ...sent, ...LASTING, buildAdvisoryLock(ALONE, settings.schema)],
      beginOneState: [BEGIN_READ, ...sent, ...LASTING],
      queue: [buildAdvisoryLock(TRYING_AGAIN, settings.schema)],
    },
    countPlaceholders,
    getFailureKind,
    buildFailure,
  }
}

function buildAdvisoryLock(key: number, schema: string): SentStatement {
  const hash = createHash('sha256').update(schema).digest().readInt32BE(0)
  return command(`select pg_advisory_xact_lock(${key}, ${hash})`)
}

const QUOTED = /(['"])(?:(?!\1).|\1\1)*\1/gs

function countPlaceholders(text: string): number {
  let most = 0
  for (const [, number] of text.replace(QUOTED, '').matchAll(/\$(\d+)/g))
    most = Math.max(most, Number(number))
  return most
}
