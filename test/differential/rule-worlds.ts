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

/** Simple conditions about a document; `K` is a small number. */
const LEAVES = [
  'author == me',
  'author != me',
  'me in members',
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

const to = (relation: string, target: string, side: object = {}) => ({
  type: 'relation',
  relation,
  target,
  ...side,
})
const DOC = 'api::doc.doc'
const TEAM = 'api::team.team'
const USER = 'plugin::users-permissions.user'

const MOMENTS = ['2024-01-01T00:00:00.000Z', '2024-01-02T06:00:00.000Z', '2099-01-01T00:00:00.000Z']
const ROLES = ['role1', 'role2', 'role3'] as const
export const USERS = ['us1', 'us2', 'us11'] as const
export const PASSWORD = 'tide-and-sand'

export interface World {
  readonly config: Readonly<Record<string, unknown>>
  /** By role: the texts of its `where`; one of them must hold. */
  readonly rules: Readonly<Record<string, readonly string[]>>
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
    size: maybe(whole(random, 5)),
    owner: maybe(1 + whole(random, 3)),
  })
  const rules = Object.fromEntries(
    ['public', ...ROLES].map((role) => [
      role,
      Array.from({ length: 1 + whole(random, 2) }, () => conditionOf(random, 3)),
    ]),
  )
  const roleOf = Object.fromEntries(USERS.map((name, index) => [name, ROLES[index] ?? 'role1']))
  const permissionsOf = (role: string) => [
    ...(rules[role] ?? []).map((where) => ({ 'doc.read': { where } })),
    'team.read',
    `${USER}.find`,
    'plugin::users-permissions.auth.callback',
  ]
  return {
    rules,
    roleOf,
    docs,
    config: {
      plugins: {
        'users-permissions': { config: { jwtSecret: '0123456789abcdef0123456789abcdef' } },
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
          password: PASSWORD,
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
          title: maybe(oneOf(random, ['a', 'b', 'ab', 'ж'])),
          secret: maybe(oneOf(random, ['s1', 's2'])),
          count: maybe(whole(random, 6) - 1),
          price: maybe(whole(random, 12) / 2),
          open: maybe(random() < 0.5),
          mood: maybe(oneOf(random, ['glad', 'sad'])),
          at: maybe(oneOf(random, MOMENTS)),
          day: maybe(oneOf(random, MOMENTS).slice(0, 10)),
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
