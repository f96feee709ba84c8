// What a rule costs: a list under a rule beside the same list with the same condition as a filter, asked in turns in one
// process; and the rule over many entries beside the same over 1,000. By hand:
// npx tsx tools/bench/rules.ts [memory|sqlite|postgres] [entries] [even|skewed]
// `even`: each user has as many entries as any other. `skewed`: one user has nearly all, which is where a database's planner,
// which knows averages, errs most.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Cms, type CmsOptions, createCms } from '../../src/index.ts'
import { loadLibsql } from '../../src/storage/drivers/sqlite/open-file.ts'
import { type Ask, asking, signedToken } from '../../test/support/callers.ts'
import { ask, openTestSchema, postgresHere } from '../../test/support/postgres.ts'

const SECRET = '0123456789abcdef0123456789abcdef'
const [client = 'sqlite', size = '1000000', spread = 'skewed'] = process.argv.slice(2)
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 300)

/** How many entries each user has, however many there are. */
const OWN = 20

interface Rule {
  readonly where: string
  /** The same as a filter, for the user with this id. */
  filter(me: number): string
}

const RULES: readonly Rule[] = [
  { where: 'code == "code-7"', filter: () => 'filters[code]=code-7' },
  { where: 'owner == "owner-7"', filter: () => 'filters[owner]=owner-7' },
  { where: 'user == me', filter: (me) => `filters[user]=${me}` },
  {
    where: 'user == me && status == "open"',
    filter: (me) => `filters[user]=${me}&filters[status]=open`,
  },
  {
    where: 'user == me || owner == "owner-7"',
    filter: (me) => `filters[$or][0][user]=${me}&filters[$or][1][owner]=owner-7`,
  },
  { where: 'me in members', filter: (me) => `filters[members][id]=${me}` },
  { where: 'user.username == "user1"', filter: () => 'filters[user][username]=user1' },
]

const USER = 'plugin::users-permissions.user'
const toUser = (relation: string) => ({ type: 'relation', relation, target: USER })
const roles = ['free', ...RULES.map((_, index) => `ruled${index}`)]

const config = {
  rest: { cache: 0 },
  plugins: { 'users-permissions': { config: { jwtSecret: SECRET } } },
  contentTypes: {
    order: {
      index: ['owner'],
      attributes: {
        code: { type: 'string', unique: true },
        owner: 'string',
        status: { type: 'enumeration', enum: ['open', 'paid'] },
        user: toUser('manyToOne'),
        members: toUser('manyToMany'),
      },
    },
  },
  auth: {
    roles: {
      free: { permissions: ['order.read', `${USER}.find`] },
      ...Object.fromEntries(
        RULES.map(({ where }, index) => [`ruled${index}`, { permissions: [{ 'order.read': { where } }] }]),
      ),
    },
    users: roles.map((role, index) => ({
      username: `user${index}`,
      email: `user${index}@example.com`,
      role,
    })),
  },
}

const even = spread === 'even'
/** Skewed, everything else belongs to the first user, who asks with filters only. */
const userOf = (entry: number): number => (even || entry <= OWN * roles.length ? Math.ceil(entry / OWN) : 1)
const ownOf = `(i + ${OWN - 1}) / ${OWN}`
const USER_SQL = even ? ownOf : `case when i <= ${OWN * roles.length} then ${ownOf} else 1 end`
const moreUsers = (moment: string): string =>
  `insert into up_users (username, email, confirmed, blocked, created_at, updated_at)
    select 'more-' || i, 'more-' || i || '@example.com', true, false, ${moment}, ${moment} from n where i > ${roles.length} and i <= (select (max(i) + ${OWN - 1}) / ${OWN} from n);`
const fill = (numbers: string, moment: string): string => `
  ${even ? `${numbers} ${moreUsers(moment)}` : ''}
  ${numbers} insert into orders (code, owner, status, created_at, updated_at)
    select 'code-' || i, 'owner-' || (i / ${OWN}), case when i % 2 = 0 then 'open' else 'paid' end, ${moment}, ${moment} from n;
  ${numbers} insert into orders_user_links (source_id, target_id) select i, ${USER_SQL} from n;
  ${numbers} insert into orders_members_links (source_id, target_id, target_order) select i, ${USER_SQL}, 1 from n;
  analyze`

interface Site {
  readonly send: Ask
  close(): Promise<void>
}

async function openSite(entries: number): Promise<Site> {
  const { cms, close } = await filled(entries)
  const tokens = await Promise.all(
    roles.map(async (role, index) => [role, await signedToken(SECRET, index + 1)]),
  )
  return { send: asking(cms, Object.fromEntries(tokens)), close }
}

const open = (database?: CmsOptions['database']): Promise<Cms> =>
  createCms(config, { env: {}, ...(database !== undefined && { database }) })

async function filled(entries: number): Promise<{ cms: Cms; close(): Promise<void> }> {
  if (client === 'postgres') {
    const here = await postgresHere()
    if (here === undefined) throw new Error('no PostgreSQL answers')
    const { connection, schema, drop } = await openTestSchema(here)
    const cms = await open({ client: 'postgres', connection, schema })
    const numbers = `with n as (select i from generate_series(1, ${entries}) i)`
    await ask(here, `set search_path to "${schema}"; ${fill(numbers, 'now()')}`)
    return { cms, close: () => cms.close().then(drop) }
  }
  if (client === 'sqlite') {
    const folder = mkdtempSync(join(tmpdir(), 'cms-run-rules-'))
    const filename = join(folder, 'cms.db')
    await (await open({ client: 'sqlite', filename })).close()
    const database = (await loadLibsql()).open(filename)
    const numbers = `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${entries})`
    database.exec(`begin; ${fill(numbers, '1700000000000')}; commit`)
    database.close()
    const cms = await open({ client: 'sqlite', filename })
    return { cms, close: () => cms.close().then(() => rmSync(folder, { recursive: true })) }
  }
  const cms = await open()
  const orders = cms.entries('order')
  const users = cms.entries(USER)
  for (let i = roles.length + 1; even && i <= Math.ceil(entries / OWN); i++)
    await users.create({ username: `more-${i}`, email: `more-${i}@example.com` })
  for (let i = 1; i <= entries; i++)
    await orders.create({
      code: `code-${i}`,
      owner: `owner-${Math.floor(i / OWN)}`,
      status: i % 2 === 0 ? 'open' : 'paid',
      user: userOf(i),
      members: [userOf(i)],
    })
  return { cms, close: () => cms.close() }
}

/** What an embedded database takes is this process's own: other programs on the machine do not change it. */
const embedded = client !== 'postgres'
/** Lists between two looks at the processor's time, which is counted coarsely. */
const BATCH = embedded ? 20 : 1

function clock(): number {
  if (!embedded) return performance.now()
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Milliseconds of the list for a caller: of the processor where the database is embedded, otherwise of the clock. */
async function timed(site: Site, role: string, query: string): Promise<number> {
  const started = clock()
  for (let time = 0; time < BATCH; time++) await asked(site, role, query)
  return (clock() - started) / BATCH
}

async function asked({ send }: Site, role: string, query: string): Promise<void> {
  const { status, json } = await send(role, 'GET', `/api/orders?${query}`)
  const { total } = (json as { meta: { pagination: { total: number } } }).meta.pagination
  if (status !== 200 || total === 0 || total > 3 * OWN)
    throw new Error(`${role} ${query}: ${status} ${total}`)
}

function median(times: readonly number[]): number {
  return [...times].sort((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN
}

const few = await openSite(1000)
const many = await openSite(Number(size))
console.log(
  `${client}: milliseconds ${embedded ? 'of the processor ' : ''}a list, medians in turns; 1000 and ${size} entries`,
)
console.log(
  `${''.padEnd(36)}${['filter', 'rule', 'x', 'filter', 'rule', 'x', 'many/few'].map((head) => head.padStart(9)).join('')}`,
)
for (const [index, { where, filter }] of RULES.entries()) {
  const query = filter(index + 2)
  const lists = [
    () => timed(few, 'free', query),
    () => timed(few, `ruled${index}`, ''),
    () => timed(many, 'free', query),
    () => timed(many, `ruled${index}`, ''),
  ]
  const times = lists.map((): number[] => [])
  for (let round = -ROUNDS / 5; round < ROUNDS; round++)
    for (const [which, one] of lists.entries()) {
      const took = await one()
      if (round >= 0) times[which]?.push(took)
    }
  const [a = 0, b = 0, c = 0, d = 0] = times.map(median)
  const cells = [a, b, b / a, c, d, d / c, d / b].map((cell) => cell.toFixed(2).padStart(9))
  console.log(where.padEnd(36) + cells.join(''))
}
await few.close()
await many.close()
