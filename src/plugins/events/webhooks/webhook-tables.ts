// Tables and statements of webhooks: positions in the feed and due deliveries.

import { sql } from 'kysely'
import type { Dialect } from '../../../storage/sql/dialect.ts'
import { column, ownStatements, ownTable } from '../../../storage/sql/own-statements.ts'
import type { Statement } from '../../../storage/sql/statement.ts'

const positions = ownTable(
  'webhooks',
  [column('webhook', 'text'), column('position', 'text')],
  [{ columns: ['webhook'], unique: true }],
)

/** `subject`: the entry, whose deliveries are sent in order. `dead`: 1 after the last try. */
const deliveries = ownTable(
  'deliveries',
  [
    column('webhook', 'text'),
    column('message', 'text'),
    column('subject', 'text'),
    column('event', 'text'),
    column('payload', 'text'),
    column('at', 'biginteger'),
    column('attempts', 'integer'),
    column('due', 'biginteger'),
    column('dead', 'integer'),
    column('reason', 'text', true),
  ],
  [{ columns: ['webhook', 'subject', 'dead', 'id'] }, { columns: ['dead', 'due'] }],
)

export const webhookTables = [positions, deliveries]

interface WebhookStatements {
  readonly position: Statement
  /** Values: webhook, position. Does nothing if the webhook has one. */
  readonly begin: Statement
  /** Values: new position, webhook, old position. Returns a row if the old position is current. */
  readonly move: Statement
  /** Values: webhook, message, subject, event, payload, at, due. */
  readonly add: Statement
  /** Values: now, how many. Returns id, webhook, message, event, payload, attempts, at. */
  readonly due: Statement
  readonly done: Statement
  /**
   * Values: attempts, due, dead, reason, id, old attempts. Does nothing if the old attempts are not current.
   */
  readonly failed: Statement
  /** Values: how many. Returns id, webhook, event, subject, at, attempts, due, dead, reason. */
  readonly list: Statement
  /** Values: due. Retries all dead deliveries. */
  readonly retryAll: Statement
  /** Values: due, id. Returns the id. */
  readonly retry: Statement
}

export function createWebhookStatements(dialect: Dialect): WebhookStatements {
  const { bound, reading, writing, finding } = ownStatements(dialect)
  const [text, big, int] = [bound('text'), bound('biginteger'), bound('integer')]
  const [places, list] = [sql.table(positions.name), sql.table(deliveries.name)]
  const own = (name: string) => sql.ref(`${deliveries.name}.${name}`)
  const select = (name: string) => dialect.select('biginteger', own(name))
  return {
    position: reading(sql`select position from ${places} where webhook = ${text}`),
    begin: writing(
      dialect.upsert({
        table: positions.name,
        columns: ['webhook', 'position'],
        values: [text, text],
        key: 'webhook',
        sets: {},
      }),
    ),
    move: finding(
      sql`update ${places} set position = ${text} where webhook = ${text} and position = ${text}`,
    ),
    add: writing(
      sql`insert into ${list} (webhook, message, subject, event, payload, at, attempts, due, dead) values (${text}, ${text}, ${text}, ${text}, ${text}, ${big}, 0, ${big}, 0)`,
    ),
    due: reading(
      sql`select id, webhook, message, event, payload, attempts, ${select('at')} from ${list} where dead = 0 and due <= ${big} and not exists (select 1 from ${list} as earlier where earlier.webhook = ${own('webhook')} and earlier.subject = ${own('subject')} and earlier.dead = 0 and earlier.id < ${own('id')}) order by ${own('id')} limit ${dialect.limit(big)}`,
    ),
    done: writing(sql`delete from ${list} where id = ${big}`),
    failed: writing(
      sql`update ${list} set attempts = ${int}, due = ${big}, dead = ${int}, reason = ${text} where id = ${big} and attempts = ${int}`,
    ),
    list: reading(
      sql`select id, webhook, event, subject, ${select('at')}, attempts, ${select('due')}, dead, reason from ${list} order by ${own('id')} limit ${dialect.limit(big)}`,
    ),
    retryAll: finding(sql`update ${list} set dead = 0, attempts = 0, due = ${big} where dead = 1`),
    retry: finding(
      sql`update ${list} set dead = 0, attempts = 0, due = ${big} where id = ${big} and dead = 1`,
    ),
  }
}
