// Listens for notifications and reconnects. A reconnection counts as a notification, because earlier ones may
// be lost.

import { clearTimeout, setTimeout } from 'node:timers'
import pg from 'pg'
import type { DatabaseListener } from '../../database.ts'
import type { ConnectionSettings } from './connection-settings.ts'
import { CHANNEL } from './postgres-dialect.ts'

/** Milliseconds until the next try; each failure doubles them. */
const MIN_PAUSE_MS = 250
const MAX_PAUSE_MS = 10_000

export function listen({ pool }: ConnectionSettings, woken: () => void): DatabaseListener {
  let client: pg.Client | undefined
  let up = false
  let closed = false
  let pause = MIN_PAUSE_MS
  let timer: NodeJS.Timeout | undefined
  let opening: Promise<void> | undefined

  async function open(): Promise<void> {
    const own = new pg.Client(pool)
    client = own
    let over = false
    const lost = (): void => {
      if (over) return
      over = true
      up = false
      own.end().catch(() => {})
      if (closed) return
      timer = setTimeout(begin, pause).unref()
      pause = Math.min(MAX_PAUSE_MS, pause * 2)
    }
    own.on('error', lost)
    own.on('end', lost)
    own.on('notification', woken)
    try {
      await own.connect()
      const { rows } = await own.query({ text: `select ${CHANNEL}`, rowMode: 'array' })
      await own.query(`listen "${String(rows[0]?.[0])}"`)
      up = true
      pause = MIN_PAUSE_MS
      woken()
    } catch {
      lost()
    }
  }

  function begin(): void {
    if (!closed) opening = open()
  }

  begin()
  return {
    get up() {
      return up
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await opening
      await client?.end().catch(() => {})
    },
  }
}
