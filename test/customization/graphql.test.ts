// Users' code in GraphQL: the same answer from both engines, in the promised order, and nothing behind a
// policy that does not agree.

import { afterEach, describe, expect, test } from 'vitest'
import { type Cms, type CmsOptions, ConfigError, createCms, type UserCms } from '../../src/index.ts'

const CONFIG = {
  // Where faults say nothing about themselves.
  server: { environment: 'staging' },
  contentTypes: {
    note: {
      attributes: {
        text: 'string',
        secret: { type: 'string', private: true },
        topics: { type: 'relation', relation: 'manyToMany', target: 'api::topic.topic', inversedBy: 'notes' },
      },
    },
    topic: {
      attributes: {
        name: 'string',
        notes: { type: 'relation', relation: 'manyToMany', target: 'api::note.note', mappedBy: 'topics' },
      },
    },
  },
  plugins: { graphql: true },
  auth: {
    roles: { public: { permissions: ['note.*', 'topic.find', 'topic.findOne'] } },
    apiTokens: [{ name: 'all', type: 'full-access', token: 'all-of-it' }],
  },
  data: {
    topic: [
      { id: 1, name: 'alpha' },
      { id: 2, name: 'beta' },
    ],
    note: [
      { id: 1, text: 'one', topics: [1, 2] },
      { id: 2, text: 'two', topics: [1] },
    ],
  },
}

type Extension = Readonly<Record<string, unknown>>

let cms: Cms | undefined

afterEach(async () => {
  await cms?.close()
  cms = undefined
})

async function open(extension: unknown, options: CmsOptions = {}, more: object = {}): Promise<void> {
  cms = await createCms(
    { ...CONFIG, ...more },
    { env: {}, register: (user) => user.graphql.extension.use(extension), ...options },
  )
}

interface Answer {
  readonly data?: Record<string, unknown> | null
  readonly errors?: readonly { message: string; extensions: { code: string } }[]
}

/** A document that comes again is compiled: what comes of it must be the same every time. */
async function ask(query: string, token?: string): Promise<Answer> {
  const answers: string[] = []
  for (let round = 0; round < 4; round++) {
    const response = await cms?.fetch('/graphql', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ query }),
    })
    answers.push((await response?.text()) ?? '')
    // Compiling is done beside the answers.
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  expect(new Set(answers).size, answers.join('\n')).toBe(1)
  return JSON.parse(answers[0] ?? '') as Answer
}

async function refused(extension: unknown, options: CmsOptions = {}, more: object = {}): Promise<string> {
  try {
    await open(extension, options, more)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  throw new Error('it was taken')
}

const OPEN = { auth: false } as const

describe('types and resolvers', () => {
  test('root fields, fields of entries and types of their own, as functions and as objects', async () => {
    await open(({ cms: user }: { cms: UserCms }) => ({
      typeDefs: `
        type Count { notes: Int!  twice: Int! }
        type Query { count: Count!  echo(text: String = "x"): String }
        extend type Note { loud: String  topicNames: [String!]! }`,
      resolvers: {
        Query: {
          count: { resolve: async () => ({ notes: await user.entries('note').count() }) },
          echo: (_parent: unknown, { text }: { text: string }) => text,
        },
        Count: { twice: (parent: { notes: number }) => parent.notes * 2 },
        Note: {
          loud: (parent: { text: string }) => parent.text.toUpperCase(),
          topicNames: async (parent: { id: number }) => {
            const note = await user.entries('note').findOne(parent.id, { populate: 'topics' })
            return ((note?.['topics'] ?? []) as { name: string }[]).map(({ name }) => name)
          },
        },
      },
      resolversConfig: { 'Query.count': OPEN, 'Query.echo': OPEN },
    }))
    expect(
      await ask(
        '{ count { notes twice } echo note(id: 1) { data { attributes { loud topicNames topics { data { attributes { name } } } } } } }',
      ),
    ).toEqual({
      data: {
        count: { notes: 2, twice: 4 },
        echo: 'x',
        note: {
          data: {
            attributes: {
              loud: 'ONE',
              topicNames: ['alpha', 'beta'],
              topics: { data: [{ attributes: { name: 'alpha' } }, { attributes: { name: 'beta' } }] },
            },
          },
        },
      },
    })
  })

  test('a generated resolver may be replaced, and called', async () => {
    await open({
      resolvers: {
        Query: {
          notes: async (
            _parent: unknown,
            args: object,
            context: unknown,
            info: unknown,
            original: (...given: unknown[]) => Promise<{ nodes: { text: string }[] }>,
          ) => {
            const answer = await original(undefined, { ...args, sort: ['id:desc'] }, context, info)
            for (const node of answer.nodes) node.text += '!'
            return answer
          },
        },
        Topic: {
          name: (_p: unknown, _a: unknown, _c: unknown, _i: unknown, original: () => string) =>
            `<${original()}>`,
        },
      },
    })
    expect(
      await ask('{ notes { data { attributes { text topics { data { attributes { name } } } } } } }'),
    ).toEqual({
      data: {
        notes: {
          data: [
            { attributes: { text: 'two!', topics: { data: [{ attributes: { name: '<alpha>' } }] } } },
            {
              attributes: {
                text: 'one!',
                topics: { data: [{ attributes: { name: '<alpha>' } }, { attributes: { name: '<beta>' } }] },
              },
            },
          ],
        },
      },
    })
  })

  test('a field without options is for callers who say who they are, and sees who they are', async () => {
    await open({
      typeDefs: 'type Query { caller: String }',
      resolvers: {
        Query: {
          caller: (_p: unknown, _a: unknown, context: { state: { auth: { strategy: { name: string } } } }) =>
            context.state.auth.strategy.name,
        },
      },
    })
    expect((await ask('{ caller }')).errors?.[0]).toMatchObject({
      message: 'Forbidden access',
      extensions: { code: 'FORBIDDEN' },
    })
    expect(await ask('{ caller }', 'all-of-it')).toEqual({ data: { caller: 'api-token' } })
  })

  test('nexus: types, more fields, and what a plugin does to the whole schema', async () => {
    let built = 0
    await open(({ nexus }: { nexus: typeof import('nexus') }) => ({
      types: [
        nexus.enumType({ name: 'Mood', members: ['GOOD', 'BAD'] }),
        nexus.extendType({
          type: 'Query',
          definition: (t) => t.field('mood', { type: 'Mood' as never, resolve: () => 'GOOD' as never }),
        }),
        nexus.extendType({
          type: 'Note',
          definition: (t) =>
            t.int('length', { resolve: (parent) => String((parent as { text: string }).text).length }),
        }),
      ],
      plugins: [
        nexus.plugin({
          name: 'count',
          onAfterBuild(schema) {
            built = Object.keys(schema.getTypeMap()).length
          },
        }),
      ],
      resolversConfig: { 'Query.mood': OPEN },
    }))
    expect(built).toBeGreaterThan(30)
    expect(
      await ask(
        '{ mood notes(filters: { text: { eq: "two" } }) { data { id attributes { length topics { data { id } } } } } }',
      ),
    ).toEqual({
      data: {
        mood: 'GOOD',
        notes: { data: [{ id: '2', attributes: { length: 3, topics: { data: [{ id: '1' }] } } }] },
      },
    })
  })
})

describe('what is written from rows when nobody has a part in it', () => {
  const NOTE = '{ note(id: 1) { data { attributes { text createdAt } } } }'

  test('a scalar of ours is serialized as it says, in its own schema alone', async () => {
    const CREATED = expect.stringMatching(/^\d{4}-/)
    // Without any types of plugins, too.
    for (const plugins of [{ graphql: true }, { graphql: true, 'users-permissions': false, upload: false }]) {
      await open({ resolvers: { DateTime: { serialize: () => 'now' } } }, {}, { plugins })
      const token = 'users-permissions' in plugins ? undefined : 'all-of-it'
      expect((await ask(NOTE, token)).data).toEqual({
        note: { data: { attributes: { text: 'one', createdAt: 'now' } } },
      })
      await cms?.close()
      await open({}, {}, { plugins })
      expect((await ask(NOTE, token)).data).toEqual({
        note: { data: { attributes: { text: 'one', createdAt: CREATED } } },
      })
      await cms?.close()
    }
  })

  test('a permission is asked of every field that needs one, at the root, in envelopes and of attributes', async () => {
    // The second time it is compiled.
    const askAgain = async (token?: string) => {
      for (let time = 1; time < 4; time++) await ask(NOTE, token)
      return ask(NOTE, token)
    }
    const needed = { auth: { scope: ['api::topic.topic.delete'] } }
    await open({ resolversConfig: { 'Note.text': needed } })
    expect(await askAgain('all-of-it')).toMatchObject({
      data: { note: { data: { attributes: { text: 'one' } } } },
    })
    expect(await askAgain()).toMatchObject({
      data: { note: { data: { attributes: { text: null } } } },
      errors: [{ message: 'Forbidden access' }],
    })
    await cms?.close()
    await open({ resolversConfig: { 'NoteEntity.attributes': needed } })
    expect(await askAgain()).toMatchObject({
      data: { note: { data: { attributes: null } } },
      errors: [{ message: 'Forbidden access' }],
    })
    await cms?.close()
    await open({ resolversConfig: { 'Query.note': needed } })
    expect(await askAgain()).toMatchObject({
      data: { note: null },
      errors: [{ message: 'Forbidden access' }],
    })
  })

  test("GraphQL's own scalars belong to every schema", async () => {
    expect(await refused({ resolvers: { String: { serialize: () => 'x' } } })).toContain(
      'resolvers for "String", which is GraphQL\'s own',
    )
  })

  test('who says which type a value has may throw', async () => {
    const components = { 'shared.quote': { attributes: { text: 'string' } } }
    const zone = { type: 'dynamiczone', components: ['shared.quote'] }
    const page = { attributes: { zone } }
    await open(
      {
        resolvers: {
          PageZoneDynamicZone: {
            __resolveType: () => {
              throw new Error('no idea')
            },
          },
        },
      },
      {},
      {
        components,
        contentTypes: { page },
        auth: { roles: { public: { permissions: ['page.*'] } } },
        data: { page: [{ id: 1, zone: [{ __component: 'shared.quote', text: 'x' }] }] },
      },
    )
    const { data, errors } = await ask('{ page(id: 1) { data { attributes { zone { __typename } } } } }')
    expect(data).toEqual({ page: { data: { attributes: { zone: [null] } } } })
    expect(errors).toMatchObject([{ message: 'Internal Server Error' }])
  })

  test('a plugin of nexus has a part in every field', async () => {
    await open(({ nexus }: { nexus: typeof import('nexus') }) => ({
      plugins: [
        nexus.plugin({
          name: 'loud',
          onCreateFieldResolver: ({ parentTypeConfig, fieldConfig }) =>
            parentTypeConfig.name === 'Note' && fieldConfig.name === 'text'
              ? async (root, args, context, info, next) =>
                  String(await next(root, args, context, info)).toUpperCase()
              : undefined,
        }),
      ],
    }))
    expect((await ask('{ note(id: 1) { data { attributes { text } } } }')).data).toEqual({
      note: { data: { attributes: { text: 'ONE' } } },
    })
  })
})

describe('options of resolvers', () => {
  test('authorization, then policies, then middlewares, the first outermost', async () => {
    const told: string[] = []
    const policy = (name: string, verdict: unknown) => () => {
      told.push(name)
      return verdict
    }
    const middleware =
      (name: string) =>
      async (next: (...rest: unknown[]) => unknown, ...rest: unknown[]): Promise<unknown> => {
        told.push(`${name} in`)
        const value = await next(...rest)
        told.push(`${name} out`)
        return value
      }
    await open({
      resolversConfig: {
        'Query.notes': {
          policies: [policy('p1', true), policy('p2', undefined)],
          middlewares: [middleware('m1'), middleware('m2')],
        },
        'Query.note': { auth: { scope: ['topic.update'] }, policies: [policy('never', true)] },
        'Query.topics': { policies: [policy('p3', 'yes')], middlewares: [middleware('never')] },
      },
    })
    const first = await cms?.fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ notes { data { id } } }' }),
    })
    expect(await first?.json()).toEqual({ data: { notes: { data: [{ id: '1' }, { id: '2' }] } } })
    expect(told).toEqual(['p1', 'p2', 'm1 in', 'm2 in', 'm2 out', 'm1 out'])
    told.length = 0
    expect((await ask('{ note(id: 1) { data { id } } topics { data { id } } }')).errors).toMatchObject([
      { message: 'Forbidden access' },
      { message: 'Policy Failed' },
    ])
    expect(told).not.toContain('never')
    expect(told).not.toContain('never in')
  })

  test('a middleware changes arguments, results and errors, on nested fields too', async () => {
    await open({
      resolversConfig: {
        'Note.topics': {
          middlewares: [
            (
              next: (...rest: unknown[]) => unknown,
              parent: unknown,
              args: object,
              context: unknown,
              info: unknown,
            ) => next(parent, { ...args, sort: ['name:desc'], pagination: { limit: 1 } }, context, info),
          ],
        },
        'Topic.name': {
          middlewares: [async (next: () => unknown) => `${String(await next())}${String(await next())}`],
        },
        'Query.topic': {
          middlewares: [
            async (next: (...rest: unknown[]) => unknown) => {
              await next()
              throw new Error('changed')
            },
          ],
        },
      },
    })
    expect(
      await ask('{ notes { data { attributes { topics { data { attributes { name } } } } } } }'),
    ).toEqual({
      data: {
        notes: {
          data: [
            { attributes: { topics: { data: [{ attributes: { name: 'betabeta' } }] } } },
            { attributes: { topics: { data: [{ attributes: { name: 'alphaalpha' } }] } } },
          ],
        },
      },
    })
    expect((await ask('{ topic(id: 1) { data { id } } }')).data).toEqual({ topic: null })
  })

  test('expressions, names with config, names of the file and functions', async () => {
    await open(
      {
        resolversConfig: {
          'Query.notes': { policies: [{ cel: '!has(args.filters) || has(args.filters.text)' }] },
          'Query.topics': { policies: [{ name: 'at-most', config: { limit: 1 } }] },
          'Topic.name': { middlewares: [{ name: 'suffix', options: { with: '?' } }] },
        },
      },
      {
        policies: {
          'at-most': (context: never, config: never) =>
            (context as { args: { pagination: { limit?: number } } }).args.pagination.limit ===
            (config as { limit: number }).limit,
        },
        middlewares: {
          suffix: (options: never) => async (next: () => unknown) =>
            `${String(await next())}${(options as { with: string }).with}`,
        },
      } as unknown as CmsOptions,
    )
    expect((await ask('{ notes(filters: { id: { eq: 1 } }) { data { id } } }')).errors?.[0]?.message).toBe(
      'Policy Failed',
    )
    expect((await ask('{ notes(filters: { text: { eq: "one" } }) { data { id } } }')).data).toEqual({
      notes: { data: [{ id: '1' }] },
    })
    expect((await ask('{ topics { data { id } } }')).data).toEqual({ topics: null })
    expect((await ask('{ topics(pagination: { limit: 1 }) { data { attributes { name } } } }')).data).toEqual(
      {
        topics: { data: [{ attributes: { name: 'alpha?' } }] },
      },
    )
  })
})

describe('a policy that does not agree', () => {
  test('leaks nothing: no data, and nothing behind it has run', async () => {
    let ran = 0
    const count = (next: (...rest: unknown[]) => unknown, ...rest: unknown[]): unknown => {
      ran += 1
      return next(...rest)
    }
    const no = { policies: [() => false], middlewares: [count] }
    await open({
      typeDefs: 'extend type Note { extra: String! }',
      resolvers: { Note: { extra: () => 'EXTRA' } },
      resolversConfig: {
        'Note.topics': no,
        'Note.text': no,
        'Query.topics': no,
        'Note.extra': no,
        'Mutation.createNote': no,
      },
    })
    const nested = await ask(
      '{ notes { data { id attributes { text topics { data { attributes { name } } } } } } }',
    )
    expect(nested.data).toEqual({
      notes: {
        data: [
          { id: '1', attributes: { text: null, topics: null } },
          { id: '2', attributes: { text: null, topics: null } },
        ],
      },
    })
    expect(nested.errors?.map(({ message }) => message)).toEqual(Array(4).fill('Policy Failed'))
    const root = await ask('{ topics { data { attributes { name } } } }')
    expect(root.data).toEqual({ topics: null })
    // Not nullable: the error takes the place of the nearest parent that is.
    const required = await ask('{ note(id: 1) { data { attributes { extra } } } }')
    const mutation = await ask('mutation { createNote(data: { text: "new" }) { data { id } } }')
    for (const answer of [nested, root, required, mutation]) {
      expect(JSON.stringify(answer)).not.toMatch(/alpha|beta|one|two|EXTRA/)
    }
    expect(ran).toBe(0)
    expect(await cms?.entries('note').count()).toBe(2)
  })

  test('by throwing, it says what it likes; a fault of its own says nothing', async () => {
    await open(({ cms: user }: { cms: UserCms }) => ({
      resolversConfig: {
        'Query.notes': {
          policies: [
            () => {
              throw new user.errors.PolicyError('not on mondays', { day: 1 })
            },
          ],
        },
        'Query.note': {
          policies: [
            () => {
              throw new TypeError('x is not a function')
            },
          ],
        },
      },
    }))
    expect((await ask('{ notes { data { id } } }')).errors).toMatchObject([{ message: 'not on mondays' }])
    expect(await ask('{ note(id: 1) { data { id } } }')).toMatchObject({
      data: { note: null },
      errors: [{ message: 'Internal Server Error' }],
    })
  })
})

describe('is refused', () => {
  const note = (more: Extension): Extension => ({ typeDefs: 'type Query { x: Int }', ...more })
  test.each<[string, unknown, string]>([
    ['SDL that does not parse', { typeDefs: 'type Query { broken(: String }' }, 'USR011'],
    ['SDL with a type that there is not', { typeDefs: 'type Query { x: Nope }' }, 'Unknown type "Nope"'],
    [
      'a field that there is already',
      { typeDefs: 'extend type Note { text: Int }' },
      'Field "Note.text" already exists',
    ],
    ['a resolver of no field', note({ resolvers: { Query: { y: () => 1 } } }), 'a resolver for Query.y'],
    ['a resolver of no type', note({ resolvers: { Notes: {} } }), 'did you mean "Note"?'],
    ['options of no field', { resolversConfig: { 'Query.note2': {} } }, 'did you mean "Query.note"?'],
    [
      'an unknown policy',
      { resolversConfig: { 'Query.note': { policies: ['owner'] } } },
      'unknown policy "owner"',
    ],
    [
      'an unknown middleware',
      { resolversConfig: { 'Query.note': { middlewares: ['m'] } } },
      'unknown middleware "m"',
    ],
    ['a middleware that is none', { resolversConfig: { 'Query.note': { middlewares: [5] } } }, 'USR004'],
    [
      'a scope that is no permission',
      { resolversConfig: { 'Query.note': { auth: { scope: ['note.fnd'] } } } },
      'USR010',
    ],
    [
      'an expression that does not compile',
      { resolversConfig: { 'Query.note': { policies: [{ cel: 'usr.id' }] } } },
      'unknown variable: usr',
    ],
    ['a key that there is not', { typeDef: 'type A { x: Int }' }, 'did you mean "typeDefs"?'],
    ['what is no extension', 5, 'an extension is an object'],
    [
      'a type that breaks the rules',
      {
        typeDefs: 'interface Named { name: String! } type A implements Named { x: Int } type Query { a: A }',
      },
      'USR01',
    ],
    [
      'a type of nexus that there is already',
      ({ nexus }: { nexus: typeof import('nexus') }) => ({
        types: [nexus.objectType({ name: 'Note', definition: (t) => t.string('x') })],
      }),
      'the type Note is there already',
    ],
    [
      'what throws',
      () => {
        throw new Error('no extension today')
      },
      'no extension today',
    ],
  ])('%s', async (_name, extension, message) => {
    expect(await refused(extension)).toContain(message)
  })

  test('at its place in the file', async () => {
    const graphql = {
      extensions: [{ typeDefs: 'type Query {\n  x: Nope\n}\n' }],
      resolversConfig: { 'Query.notse': { auth: false } },
    }
    const report = await refused(undefined, { register: () => {} }, { graphql })
    expect(report).toMatch(/USR011.*Unknown type "Nope"[\s\S]*\| +x: Nope\n.*\^/)
    expect(report).toMatch(/USR014[\s\S]*Query\.notse[\s\S]*did you mean "Query.note"/)
  })

  test('in code, options of fields that are not there are a warning, and maps by type are taken', async () => {
    const warned: string[] = []
    const closed = { auth: { scope: ['topic.delete'] } }
    await open(
      { resolversConfig: { Query: { note: closed, gone: closed }, 'Query.gone2': closed } },
      { log: (line) => warned.push(JSON.stringify(line)) },
    )
    for (const key of ['Query.gone', 'Query.gone2'])
      expect(warned.join()).toMatch(new RegExp(`warning.USR014.*${key}.*and the schema has no such field`))
    expect((await ask('{ note(id: 1) { data { id } } }')).errors?.[0]?.message).toContain('Forbidden')
    expect((await ask('{ notes { data { id } } }')).errors).toBe(undefined)
  })

  test('use() after register()', async () => {
    let late: UserCms | undefined
    await open(
      {},
      {
        register(user) {
          late = user
        },
      },
    )
    expect(() => late?.graphql.extension.use({})).toThrow('register()')
  })
})
