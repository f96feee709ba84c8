// Random worlds for rules: content, permissions and callers, made from a seed.

export type Random = () => number

/** mulberry32: the same numbers for the same seed, from 0 to 1. */
export function randomOf(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

export const whole = (random: Random, below: number): number => Math.floor(random() * below)

export function oneOf<T>(random: Random, values: readonly T[]): T {
  const value = values[whole(random, values.length)]
  if (value === undefined) throw new Error('nothing to choose from')
  return value
}

const pick = <T>(values: readonly T[], others: readonly T[] = []) => ({
  values,
  maybe: [...values, ...others, null, null],
})

/** The values of attributes, and what rules compare them with: few, so that a value often sits on the bound of a rule. */
export const POOLS = {
  count: pick([-1, 0, 1, 2, 3]),
  price: pick([0, 0.5, 1, 2, 3]),
  big: pick(['1', '2'], ['9007199254740992', '9007199254740993']),
  title: pick(['a', 'b', 'ab', 'ж']),
  at: pick(['2024-01-01T00:00:00.000Z', '2024-01-02T06:00:00.000Z', '2099-01-01T00:00:00.000Z']),
  day: pick(['2024-01-01', '2024-01-02', '2099-01-01']),
  size: pick([0, 1, 2, 3]),
} as const

const quoted = (value: unknown): string => `"${value}"`

/** Attributes of one type, and how a value of theirs is written in a rule. */
const COMPARED = [
  { names: ['count', 'main.count'], pool: POOLS.count, written: String },
  { names: ['price', 'main.price', 'count'], pool: POOLS.price, written: String },
  { names: ['big', 'main.big'], pool: POOLS.big, written: String },
  { names: ['box.size'], pool: POOLS.size, written: String },
  { names: ['title', 'main.title'], pool: POOLS.title, written: quoted },
  { names: ['at', 'main.at'], pool: POOLS.at, written: (value: unknown) => `timestamp("${value}")` },
  { names: ['day', 'main.day'], pool: POOLS.day, written: quoted },
  { names: ['id', 'main.id', 'main.main.id'], pool: pick([1, 2, 3, 4, 5]), written: String },
] as const

/** A comparison with a value that documents have, or of two attributes. */
function comparisonOf(random: Random): string {
  const { names, pool, written } = oneOf(random, COMPARED)
  const value = (): string => written(oneOf<unknown>(random, pool.values))
  const name = oneOf<string>(random, names)
  if (random() < 0.2) {
    const among = `${name} in [${value()}, ${value()}]`
    return random() < 0.5 ? among : `!(${among})`
  }
  const other = random() < 0.3 ? oneOf<string>(random, names) : value()
  const operator = oneOf(random, ['==', '!=', '<', '<=', '>', '>='])
  return random() < 0.3 ? `${other} ${operator} ${name}` : `${name} ${operator} ${other}`
}

/** Other simple conditions about a document; `K` is a small number. */
const LEAVES = [
  'author == me',
  'author != me',
  'me in members',
  '!(me in members)',
  'me == null',
  'author == null',
  'has(team)',
  'team == me.team',
  'team.lead == me',
  'team.open',
  'me.team.open',
  'main.author == me',
  'main.count > K',
  'main.count < count',
  'count > K',
  'count >= price',
  'count * 2 - K > price + 1',
  'count / 2 == K',
  'price / count > K',
  '-count < K',
  'price == null',
  'open',
  'mood == "glad"',
  'mood in ["glad", "sad"]',
  'mood + title == "gladb"',
  'title != "a"',
  'title > "b"',
  'size(title) > K',
  'title.contains("b")',
  '(title + "x").endsWith("bx")',
  'at < now',
  'at > timestamp("2024-01-02T00:00:00Z") - duration("12h")',
  'day == "2024-01-02"',
  'day <= "2024-01-01"',
  'box.size > K',
  'box == null',
  'box.owner == me',
  'boxes.exists(one, one.label == "a" && one.size > K)',
  'boxes.exists(one, one.owner == me)',
  'members.exists(one, one.username.startsWith("us1"))',
  'members.exists(one, one == me || one.team == me.team)',
  'related.exists(one, true)',
  'related.exists(one, one.open && one.count > K)',
  'related.exists(one, one.members.exists(m, m == me))',
  'role == "role1"',
  'secret == "s1"',
  '(open ? count : price) > K',
  '(has(title) ? title : "none") == "none"',
  'size(me.username) > 1',
] as const

export function conditionOf(random: Random, depth: number): string {
  if (depth === 0 || random() < 0.3) {
    if (random() < 0.5) return comparisonOf(random)
    return oneOf(random, LEAVES).replace('K', String(whole(random, 4)))
  }
  const inner = (): string => conditionOf(random, depth - 1)
  switch (whole(random, 5)) {
    case 0:
      return `!(${inner()})`
    case 1:
      return `(${inner()} ? ${inner()} : ${inner()})`
    case 2:
      return `(${inner()} || ${inner()})`
    default:
      return `(${inner()} && ${inner()})`
  }
}

/** What must hold after an update that changes nothing. */
function checkOf(random: Random): string {
  const compared = oneOf(random, [
    'before.count <= count',
    'before.team == team',
    'has(before.title)',
    'input.title == null',
  ])
  return random() < 0.3 ? compared : `${conditionOf(random, 1)} ${oneOf(random, ['&&', '||'])} ${compared}`
}

const to = (relation: string, target: string, side: object = {}) => ({
  type: 'relation',
  relation,
  target,
  ...side,
})
const DOC = 'api::doc.doc'
const TEAM = 'api::team.team'
const USER = 'plugin::users-permissions.user'

const ROLES = ['role1', 'role2', 'role3', 'role4', 'role5', 'role6'] as const
export const USERS = ['us1', 'us2', 'us11', 'us4', 'us5', 'us6'] as const
export const SECRET = '0123456789abcdef0123456789abcdef'

export interface UpdateRule {
  readonly where?: string
  readonly check?: string
}

export interface World {
  readonly config: Readonly<Record<string, unknown>>
  /** By role: the texts of its `where`; one of them must hold. */
  readonly rules: Readonly<Record<string, readonly string[]>>
  /** By role: its permissions to update; one of them must allow it. */
  readonly updates: Readonly<Record<string, readonly UpdateRule[]>>
  readonly roleOf: Readonly<Record<string, string>>
  readonly docs: number
}

export function worldOf(random: Random): World {
  const ids = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)
  const some = (count: number): number[] => ids(count).filter(() => random() < 0.4)
  const maybe = <T>(value: T): T | null => (random() < 0.3 ? null : value)
  const docs = 4 + whole(random, 8)
  const component = () => ({
    label: maybe(oneOf(random, ['a', 'b'])),
    size: oneOf(random, POOLS.size.maybe),
    owner: maybe(1 + whole(random, 3)),
  })
  const rules = Object.fromEntries(
    ['public', ...ROLES].map((role) => [
      role,
      Array.from({ length: 1 + whole(random, 2) }, () => conditionOf(random, whole(random, 4))),
    ]),
  )
  const updates = Object.fromEntries(
    ['public', ...ROLES].map((role) => [
      role,
      Array.from({ length: 1 + whole(random, 2) }, () => ({
        ...(random() < 0.8 && { where: conditionOf(random, 2) }),
        ...(random() < 0.6 && { check: checkOf(random) }),
      })),
    ]),
  )
  const roleOf = Object.fromEntries(USERS.map((name, index) => [name, ROLES[index] ?? 'role1']))
  const permissionsOf = (role: string) => [
    ...(rules[role] ?? []).map((where) => ({ 'doc.read': { where } })),
    ...(updates[role] ?? []).map((rule) =>
      Object.keys(rule).length === 0 ? 'doc.update' : { 'doc.update': rule },
    ),
    'team.read',
    `${USER}.find`,
    'plugin::users-permissions.auth.callback',
  ]
  return {
    rules,
    updates,
    roleOf,
    docs,
    config: {
      plugins: {
        'users-permissions': { config: { jwtSecret: SECRET } },
        graphql: true,
      },
      contentTypes: {
        [USER]: { attributes: { team: to('manyToOne', TEAM) } },
        team: {
          attributes: {
            name: 'string',
            open: 'boolean',
            lead: to('manyToOne', USER),
            docs: to('oneToMany', DOC, { mappedBy: 'team' }),
            about: { type: 'relation', relation: 'morphToMany' },
          },
        },
        doc: {
          attributes: {
            title: 'string',
            secret: { type: 'string', private: true },
            count: 'integer',
            price: 'float',
            big: 'biginteger',
            open: 'boolean',
            mood: { type: 'enumeration', enum: ['glad', 'sad'] },
            at: 'datetime',
            day: 'date',
            author: to('manyToOne', USER),
            team: to('manyToOne', TEAM, { inversedBy: 'docs' }),
            members: to('manyToMany', USER),
            related: to('manyToMany', DOC),
            main: to('manyToOne', DOC),
            box: { type: 'component', component: 'ui.box' },
            boxes: { type: 'component', component: 'ui.box', repeatable: true },
          },
        },
      },
      components: {
        'ui.box': {
          attributes: {
            label: 'string',
            size: 'integer',
            owner: to('manyToOne', USER),
            doc: to('manyToOne', DOC),
          },
        },
      },
      auth: {
        roles: Object.fromEntries(
          ['public', ...ROLES].map((role) => [role, { permissions: permissionsOf(role) }]),
        ),
        users: USERS.map((username) => ({
          username,
          email: `${username}@example.com`,
          role: roleOf[username],
          team: maybe(1 + whole(random, 2)),
        })),
      },
      data: {
        team: ids(2).map((id) => ({
          id,
          name: `t${id}`,
          open: maybe(random() < 0.5),
          lead: maybe(1 + whole(random, 3)),
          about: some(docs).map((doc) => ({ __type: DOC, id: doc })),
        })),
        doc: ids(docs).map((id) => ({
          id,
          title: oneOf(random, POOLS.title.maybe),
          secret: maybe(oneOf(random, ['s1', 's2'])),
          count: oneOf(random, POOLS.count.maybe),
          price: oneOf(random, POOLS.price.maybe),
          big: oneOf(random, POOLS.big.maybe),
          open: maybe(random() < 0.5),
          mood: maybe(oneOf(random, ['glad', 'sad'])),
          at: oneOf(random, POOLS.at.maybe),
          day: oneOf(random, POOLS.day.maybe),
          author: maybe(1 + whole(random, 3)),
          team: maybe(1 + whole(random, 2)),
          members: some(3),
          related: some(docs),
          main: maybe(1 + whole(random, docs)),
          box: maybe({ ...component(), doc: 1 + whole(random, docs) }),
          boxes: some(2).map(component),
        })),
      },
    },
  }
}
