// What users' code puts into a request itself has the server's rights; what the client sent keeps the client's, whatever the
// code does with it. The caller may find notes and write them, and may not find users.

import { afterEach, describe, expect, test } from 'vitest'
import { type Cms, createCms, type RestContext } from '../../src/index.ts'

type Values = Record<string, unknown>
type Next = (...given: readonly unknown[]) => unknown

let cms: Cms | undefined

afterEach(async () => {
  await cms?.close()
  cms = undefined
})

const USER = 'plugin::users-permissions.user'

const CONFIG = {
  contentTypes: {
    note: {
      attributes: {
        text: 'string',
        stamp: { type: 'string', writable: false },
        user: { type: 'relation', relation: 'manyToOne', target: USER },
        readers: { type: 'relation', relation: 'manyToMany', target: USER },
      },
      rest: {
        config: Object.fromEntries(
          ['find', 'create', 'update'].map((one) => [one, { middlewares: ['own'] }]),
        ),
      },
    },
  },
  plugins: { graphql: true, 'users-permissions': true },
  auth: {
    roles: { public: { permissions: ['note.*'] } },
    users: [
      { username: 'ann', email: 'ann@example.com', password: 'secret-of-ann' },
      { username: 'bob', email: 'bob@example.com', password: 'secret-of-bob' },
    ],
  },
  data: {
    note: [
      { id: 1, text: 'of ann', user: 1 },
      { id: 2, text: 'of bob', user: 2 },
      { id: 3, text: 'of ann, too', user: 1 },
    ],
  },
}

async function open(
  own: (ctx: RestContext) => unknown,
  field = '',
  around?: (args: Values) => Values,
): Promise<Cms> {
  const resolversConfig =
    around === undefined
      ? {}
      : {
          [field]: {
            middlewares: [
              (next: Next, parent: unknown, args: Values, ...rest: readonly unknown[]) =>
                next(parent, around(args), ...rest),
            ],
          },
        }
  cms = await createCms(CONFIG, {
    env: {},
    middlewares: {
      own:
        () =>
        async (...given: readonly unknown[]) => {
          const [ctx, next] = given as [RestContext, () => Promise<void>]
          await own(ctx)
          await next()
        },
    },
    register: ({ graphql: { extension } }) => extension.use({ resolversConfig }),
  })
  return cms
}

async function textsOf(opened: Cms, query: string): Promise<unknown> {
  const answer = await opened.fetch(`/api/notes?${query}`)
  const { data, error } = (await answer.json()) as {
    data: readonly { attributes: { text: string } }[] | null
    error?: { message: string }
  }
  return data?.map(({ attributes }) => attributes.text) ?? error?.message
}

const filtersOf = (ctx: RestContext): Values => (ctx.query['filters'] ?? {}) as Values
const ANN = ['of ann', 'of ann, too']

describe('filters over REST', () => {
  const ways: readonly (readonly [string, (ctx: RestContext) => unknown])[] = [
    [
      'set in place',
      (ctx) => {
        ctx.query['filters'] = { user: { id: 1 } }
      },
    ],
    [
      'set beside',
      (ctx) => {
        ctx.query['filters'] = { ...filtersOf(ctx), user: { id: { $eq: 1 } } }
      },
    ],
    [
      'set within',
      (ctx) => {
        ctx.query['filters'] ??= {}
        filtersOf(ctx)['user'] = 1
      },
    ],
    [
      'joined by $and',
      (ctx) => {
        ctx.query['filters'] = { $and: [filtersOf(ctx), { user: { id: 1 } }] }
      },
    ],
    [
      'in a new query',
      (ctx) => {
        ctx.query = {
          ...structuredClone(ctx.query),
          filters: { ...structuredClone(filtersOf(ctx)), user: { id: 1 } },
        }
      },
    ],
    [
      'one of several',
      (ctx) => {
        ctx.query['filters'] = {
          ...filtersOf(ctx),
          $or: [{ user: { id: 1 } }, { user: { username: 'nobody' } }],
        }
      },
    ],
  ]
  test.each(ways)('%s', async (_name, own) => {
    const opened = await open(own)
    // The second and third time it would be remembered.
    for (let round = 0; round < 3; round++) expect(await textsOf(opened, 'sort=id')).toEqual(ANN)
  })

  test('beside those of the client', async () => {
    const opened = await open((ctx) => {
      ctx.query['filters'] = { ...filtersOf(ctx), user: { id: 1 } }
    })
    expect(await textsOf(opened, 'filters[text][$contains]=too')).toEqual(['of ann, too'])
    // By a name that the client sent nothing is the server's own: it could be made of what the client wants to know.
    expect(await textsOf(opened, 'filters[user][id]=2&sort=id')).toEqual('Invalid parameter user')
  })

  const CLIENT = 'filters[user][email][$startsWith]=a&sort=id'
  const forwarding: readonly (readonly [string, (ctx: RestContext) => unknown])[] = [
    ['nothing done', () => {}],
    [
      'copied',
      (ctx) => {
        ctx.query['filters'] = { ...filtersOf(ctx) }
      },
    ],
    [
      'copied deeply',
      (ctx) => {
        ctx.query = structuredClone(ctx.query)
      },
    ],
    [
      'joined by $and',
      (ctx) => {
        ctx.query['filters'] = { $and: [filtersOf(ctx), { text: 'of ann' }] }
      },
    ],
    [
      'a copy joined by $and',
      (ctx) => {
        ctx.query['filters'] = { $and: [structuredClone(filtersOf(ctx)), { user: { id: 1 } }] }
      },
    ],
    [
      'joined by $or',
      (ctx) => {
        ctx.query['filters'] = { $or: [structuredClone(filtersOf(ctx)), { user: { id: 1 } }] }
      },
    ],
    [
      'turned round',
      (ctx) => {
        ctx.query['filters'] = { $not: structuredClone(filtersOf(ctx)) }
      },
    ],
    [
      'under a relation',
      (ctx) => {
        ctx.query['filters'] = { readers: { notes: structuredClone(filtersOf(ctx)) } }
      },
    ],
    [
      'added to',
      (ctx) => {
        ;(filtersOf(ctx)['user'] as Values)['id'] = 1
      },
    ],
  ]
  test.each(forwarding)("the client's, %s, are held to the client's rights", async (_name, own) => {
    const opened = await open(own)
    expect(await textsOf(opened, CLIENT)).toMatch(/^Invalid parameter (user|readers)/)
  })

  test('populate and sort stay those of the client', async () => {
    const opened = await open((ctx) => {
      ctx.query['sort'] = 'user.email'
    })
    expect(await textsOf(opened, '')).toMatch(/^Invalid parameter user/)
  })
})

interface Written {
  readonly status: number
  readonly user: unknown
  readonly stamp: unknown
}

async function write(opened: Cms, method: string, path: string, body: unknown): Promise<Written> {
  const headers = { 'content-type': 'application/json' }
  const answer = await opened.fetch(path, { method, headers, body: JSON.stringify(body) })
  const { data } = (await answer.json()) as { data: { id: number } | null }
  const note = data === null ? undefined : await opened.entries('note').findOne(data.id, { populate: '*' })
  return {
    status: answer.status,
    user: (note?.['user'] as Values | null)?.['username'],
    stamp: note?.['stamp'],
  }
}

const dataOf = (ctx: RestContext): Values => (ctx.request.body as { data: Values }).data

describe('data over REST', () => {
  const ways: readonly (readonly [string, (ctx: RestContext) => unknown])[] = [
    [
      'set within',
      (ctx) => {
        dataOf(ctx)['user'] = 1
      },
    ],
    [
      'set beside',
      (ctx) => {
        ctx.request.body = { data: { ...dataOf(ctx), user: { connect: [1] } } }
      },
    ],
    [
      'a list',
      (ctx) => {
        dataOf(ctx)['user'] = [1]
      },
    ],
  ]
  test.each(ways)('%s', async (_name, own) => {
    const opened = await open(own)
    expect(await write(opened, 'POST', '/api/notes', { data: { text: 'x' } })).toMatchObject({
      status: 200,
      user: 'ann',
    })
    expect(await write(opened, 'PUT', '/api/notes/2', { data: {} })).toMatchObject({
      status: 200,
      user: 'ann',
    })
    // In the place of what the client named.
    expect(await write(opened, 'PUT', '/api/notes/2', { data: { user: 2 } })).toMatchObject({
      status: 200,
      user: 'ann',
    })
  })

  test('an attribute that payloads do not set', async () => {
    const opened = await open((ctx) => {
      dataOf(ctx)['stamp'] ??= 'own'
    })
    expect(await write(opened, 'POST', '/api/notes', { data: {} })).toMatchObject({
      status: 200,
      stamp: 'own',
    })
    expect(await write(opened, 'POST', '/api/notes', { data: { stamp: 'sent' } })).toMatchObject({
      status: 200,
      stamp: null,
    })
  })

  const forwarding: readonly (readonly [string, (ctx: RestContext) => unknown, object])[] = [
    ['nothing done', () => {}, { data: { user: 1 } }],
    [
      'copied',
      (ctx) => {
        ctx.request.body = structuredClone(ctx.request.body)
      },
      { data: { user: 1 } },
    ],
    [
      'wrapped',
      (ctx) => {
        ctx.request.body = { data: ctx.request.body }
      },
      { user: 1 },
    ],
    [
      'written otherwise',
      (ctx) => {
        dataOf(ctx)['user'] = { set: [dataOf(ctx)['user']] }
      },
      { data: { user: 1 } },
    ],
    [
      'with one more',
      (ctx) => {
        dataOf(ctx)['readers'] = [...(dataOf(ctx)['readers'] as number[]), 2]
      },
      { data: { readers: [1] } },
    ],
    [
      'emptied, as it was',
      (ctx) => {
        ctx.request.body = structuredClone(ctx.request.body)
      },
      { data: { readers: [] } },
    ],
  ]
  test.each(forwarding)("the client's, %s, are held to the client's rights", async (_name, own, body) => {
    const opened = await open(own)
    expect(await write(opened, 'POST', '/api/notes', body)).toMatchObject({ status: 403 })
  })
})

async function graphql(opened: Cms, query: string): Promise<unknown> {
  const answers: string[] = []
  for (let round = 0; round < 3; round++) {
    const headers = { 'content-type': 'application/json' }
    const answer = await opened.fetch('/graphql', {
      method: 'POST',
      headers,
      body: JSON.stringify({ query }),
    })
    answers.push(await answer.text())
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return JSON.parse(answers.at(-1) ?? '')
}

const found = (texts: readonly string[]) => ({
  data: { notes: { data: texts.map((text) => ({ attributes: { text } })) } },
})

describe('over GraphQL', () => {
  const list = (filters: string) => `{ notes(sort: "id"${filters}) { data { attributes { text } } } }`

  test.each<readonly [string, (args: Values) => Values]>([
    [
      'beside',
      (args) => ({ ...args, filters: { ...(args['filters'] as Values), user: { id: { eq: '1' } } } }),
    ],
    [
      'joined',
      (args) => ({ ...args, filters: { and: [args['filters'] ?? {}, { user: { id: { eq: 1 } } }] } }),
    ],
    ['in place', (args) => Object.assign(args, { filters: { user: { id: { eq: '1' } } } })],
  ])('filters put %s', async (_name, around) => {
    const opened = await open(() => {}, 'Query.notes', around)
    expect(await graphql(opened, list(''))).toEqual(found(ANN))
    expect(await graphql(opened, list(', filters: { text: { contains: "of" } }'))).toEqual(found(ANN))
  })

  test("what is remembered for the server's own is not for a client who asks the same", async () => {
    const around = (args: Values): Values =>
      args['filters'] === undefined ? { ...args, filters: { user: { id: { eq: '1' } } } } : args
    const opened = await open(() => {}, 'Query.notes', around)
    expect(await graphql(opened, list(''))).toEqual(found(ANN))
    expect(await graphql(opened, list(', filters: { user: { id: { eq: "1" } } }'))).toMatchObject({
      errors: [{ message: 'Invalid parameter user' }],
    })
  })

  test.each<readonly [string, (args: Values) => Values]>([
    ['copied', (args) => structuredClone(args)],
    [
      'joined',
      (args) => ({
        ...args,
        filters: { or: [structuredClone(args['filters']), { text: { eq: 'of ann' } }] },
      }),
    ],
    ['under a relation', (args) => ({ ...args, filters: { readers: structuredClone(args['filters']) } })],
  ])("the client's filters, %s, are held to the client's rights", async (_name, around) => {
    const opened = await open(() => {}, 'Query.notes', around)
    expect(await graphql(opened, list(', filters: { user: { email: { startsWith: "a" } } }'))).toMatchObject({
      errors: [{ message: expect.stringMatching(/^Invalid parameter (user|readers)/) }],
    })
  })

  test('data', async () => {
    const around = (args: Values): Values => ({ ...args, data: { ...(args['data'] as Values), user: '1' } })
    const opened = await open(() => {}, 'Mutation.createNote', around)
    const query = 'mutation { createNote(data: { text: "x", user: "2" }) { data { id } } }'
    expect(await graphql(opened, query)).toMatchObject({
      data: { createNote: { data: { id: expect.any(String) } } },
    })
    const [made] = await opened.entries('note').findMany({ filters: { text: 'x' }, populate: 'user' })
    expect(made?.['user']).toMatchObject({ username: 'ann' })
  })

  test("data of the client is held to the client's rights", async () => {
    const opened = await open(
      () => {},
      'Mutation.createNote',
      (args) => structuredClone(args),
    )
    const query = 'mutation { createNote(data: { text: "x", user: "1" }) { data { id } } }'
    expect(await graphql(opened, query)).toMatchObject({
      errors: [{ message: expect.stringContaining('"user" names entries that you may not find') }],
    })
  })
})

describe('a lifecycle hook', () => {
  const open2 = async (beforeCreate: (data: Values) => unknown): Promise<Cms> => {
    cms = await createCms(CONFIG, {
      env: {},
      middlewares: {
        own:
          () =>
          (...given: readonly unknown[]) =>
            (given[1] as () => unknown)(),
      },
      lifecycles: { note: { beforeCreate: ({ params }) => void beforeCreate(params.data) } },
    })
    return cms
  }

  test('that names an entry does so with the rights of the server', async () => {
    const opened = await open2((data) => {
      data['user'] = 1
      data['stamp'] = 'own'
    })
    for (const data of [{}, { user: 2 }, { user: null, stamp: 'sent' }])
      expect(await write(opened, 'POST', '/api/notes', { data })).toEqual({
        status: 200,
        user: 'ann',
        stamp: 'own',
      })
  })

  test.each([{ user: 1 }, { user: { connect: [1] } }, { readers: [] }, { readers: [1, 2] }])(
    'gives none to what the client sent: %j',
    async (data) => {
      const opened = await open2((given) => {
        given['text'] = 'own'
      })
      expect(await write(opened, 'POST', '/api/notes', { data })).toMatchObject({ status: 403 })
    },
  )
})
