// Twenty tasks as an agent would do them: calls of tools from the first to the last, and how many each takes.

import { expect, test } from 'vitest'
import { type EditedFile, openEditedFile, type PlanAnswer } from '../support/edited-file.ts'

const blog = `
plugins: { mcp: true }
contentTypes:
  article:
    title: string!
    body: text
    views: string
    author: author
  author: { name: string!, email: email }
auth:
  roles:
    public: [article.read]
data:
  author: [{ name: Ann, email: ann@example.com }, { name: Bob }]
  article: [{ title: One, views: '12', author: Ann }, { title: Two, views: '7' }, { title: Two }]
`

interface Agent extends EditedFile {
  /** The text of the file at the start. */
  readonly file: string
  /** The text of a tool's result, which must not be an error. */
  call(name: string, given?: object): Promise<string>
  refused(name: string, given?: object): Promise<string>
  /** Two calls. */
  edit(...edits: readonly object[]): Promise<PlanAnswer>
  ask(url: string, as?: Parameters<EditedFile['cms']['as']>[0]): Promise<{ status: number; body: string }>
}

interface Task {
  readonly file?: string
  readonly calls: number
  run(agent: Agent): Promise<void>
}

const TASKS: Readonly<Record<string, Task>> = {
  'make a blog of an empty file': {
    file: 'plugins: { mcp: true }\ncontentTypes: {}\n',
    calls: 3,
    async run({ edit, call, ask }) {
      await edit(
        {
          do: 'addType',
          type: 'article',
          attributes: { title: 'string!', body: 'markdown', author: 'author' },
          options: { drafts: true },
        },
        { do: 'addType', type: 'author', attributes: { name: 'string!', articles: ['article'] } },
        { do: 'allow', role: 'public', permission: 'article.read' },
        { do: 'allow', role: 'public', permission: 'author.read' },
        { do: 'addEntries', type: 'article', entries: [{ title: 'Hello', author: { name: 'Ann' } }] },
      )
      expect(await call('find', { type: 'article', populate: ['author'] })).toContain('"name":"Ann"')
      expect((await ask('/api/authors?populate=articles')).body).toContain('"title":"Hello"')
    },
  },
  'restrict entries to their owners': {
    calls: 3,
    async run({ edit, call }) {
      await edit(
        { do: 'addType', type: 'note', attributes: { text: 'text!', owner: 'user' } },
        {
          do: 'allow',
          role: 'authenticated',
          permission: 'note.*',
          rule: { where: 'owner == me', set: { owner: 'me' } },
        },
      )
      const cases = `
cases:
  without a login: [{ get: /api/notes, expect: 403 }]
  with one: [{ get: /api/notes, as: { role: authenticated }, expect: 200, body: { data: [] } }]
`
      expect(await call('file_test', { cases })).toContain('2 of 2 cases passed')
    },
  },
  'rename an attribute with its values kept': {
    calls: 3,
    async run({ edit, call }) {
      const { database } = await edit({ do: 'rename', type: 'article', attribute: 'title', to: 'headline' })
      expect(database.join()).toContain('renamed')
      expect(await call('find', { type: 'article' })).toContain('"headline":"One"')
    },
  },
  'rename a content-type with its entries kept': {
    calls: 3,
    async run({ edit, call }) {
      await edit(
        { do: 'rename', type: 'article', to: 'story' },
        { do: 'revoke', role: 'public', permission: 'article.read' },
        { do: 'allow', role: 'public', permission: 'story.read' },
      )
      expect(await call('count', { type: 'story' })).toContain('3')
    },
  },
  'find out why a request is refused': {
    calls: 1,
    async run({ ask, call }) {
      expect((await ask('/api/authors')).status).toBe(403)
      expect(await call('explain_permission', { permission: 'author.find' })).toContain(
        'nothing in auth.roles.public.permissions allows it',
      )
    },
  },
  'let everybody do what was refused': {
    calls: 2,
    async run({ ask, edit }) {
      const { mustAllow } = await edit({ do: 'allow', role: 'public', permission: 'author.find' })
      expect(mustAllow).toEqual(['the role public gains api::author.author.find'])
      expect((await ask('/api/authors')).status).toBe(200)
    },
  },
  'hide an attribute from everybody': {
    file: blog.replace('ann@example.com', 'hidden@example.com'),
    calls: 2,
    async run({ ask, edit }) {
      await edit({
        do: 'setAttribute',
        type: 'author',
        attribute: 'email',
        value: { type: 'email', private: true },
      })
      expect((await ask('/api/articles?populate=author')).body).not.toContain('hidden@example.com')
    },
  },
  'hide an attribute from one role': {
    calls: 2,
    async run({ ask, edit }) {
      await edit({ do: 'allow', role: 'public', permission: 'article.read', rule: { fields: ['title'] } })
      expect((await ask('/api/articles')).body).not.toContain('views')
    },
  },
  'make values unique where two are equal': {
    calls: 5,
    async run({ call, plan, edit }) {
      const unique = {
        do: 'setAttribute',
        type: 'article',
        attribute: 'title',
        value: { type: 'string!', unique: true },
      }
      const { faults } = await plan({ edits: [unique] })
      expect(faults).toMatch(/Two/)
      const found = JSON.parse(await call('find', { type: 'article', filters: { title: 'Two' } })) as {
        data: { id: number }[]
      }
      expect(found.data).toHaveLength(2)
      await call('update', { type: 'article', id: found.data[1]?.id, data: { title: 'Three' } })
      await edit({ do: 'set', path: ['data', 'article', 2, 'title'], value: 'Three' }, unique)
    },
  },
  'find a slow list, and declare its index': {
    calls: 4,
    async run({ call, edit }) {
      const given = { url: '/api/articles?filters[title][$eq]=One' }
      expect(await call('explain_query', given)).toContain('index: [title]')
      await edit({ do: 'set', path: ['contentTypes', 'article', 'index'], value: ['title'] })
      expect(await call('explain_query', given)).toContain('an index serves it')
    },
  },
  'give a type drafts, and publish one': {
    calls: 5,
    async run({ call, edit, ask }) {
      await edit({ do: 'set', path: ['contentTypes', 'article', 'drafts'], value: true })
      const made = JSON.parse(
        await call('create', { type: 'article', data: { title: 'Soon', publishedAt: null } }),
      ) as { data: { id: number } }
      expect((await ask('/api/articles')).body).not.toContain('Soon')
      await call('update', {
        type: 'article',
        id: made.data.id,
        data: { publishedAt: '2024-01-01T00:00:00.000Z' },
      })
      expect(await call('find', { type: 'article', filters: { title: 'Soon' } })).toContain('2024-01-01')
      expect((await ask('/api/articles')).body).toContain('Soon')
    },
  },
  'give a type a list of parts': {
    calls: 3,
    async run({ call, edit }) {
      await edit(
        { do: 'addComponent', component: 'link', attributes: { label: 'string!', url: 'url' } },
        { do: 'setAttribute', type: 'article', attribute: 'links', value: ['link'] },
      )
      const data = { title: 'Linked', links: [{ label: 'us', url: 'https://example.com' }] }
      expect(await call('create', { type: 'article', data, populate: '*' })).toContain('"label":"us"')
    },
  },
  'relate two types from both sides': {
    calls: 3,
    async run({ call, edit }) {
      await edit({ do: 'setAttribute', type: 'author', attribute: 'articles', value: ['article'] })
      expect(await call('find', { type: 'author', populate: ['articles'] })).toContain('"title":"One"')
    },
  },
  'add a role that has what another has, and more': {
    calls: 3,
    async run({ call, edit }) {
      await edit({
        do: 'set',
        path: ['auth', 'roles', 'editor'],
        value: { extends: 'public', permissions: ['article.*', 'author.read'] },
      })
      expect(await call('explain_permission', { as: 'role:editor', permission: 'article.update' })).toContain(
        'yes, without a rule',
      )
    },
  },
  'take writes that others do not see': {
    calls: 3,
    async run({ call, edit }) {
      await edit(
        { do: 'addType', type: 'message', attributes: { text: 'text!', from: 'email!' } },
        { do: 'allow', role: 'public', permission: 'message.create', rule: { fields: ['text', 'from'] } },
      )
      const cases = `
cases:
  writes, and does not read:
    - { post: /api/messages, send: { data: { text: Hi, from: gwen@example.com } }, expect: 200 }
    - { get: /api/messages, expect: 403 }
`
      expect(await call('file_test', { cases })).toContain('1 of 1 cases passed')
    },
  },
  'refuse entries that make no sense': {
    calls: 4,
    async run({ call, edit, refused }) {
      await edit({
        do: 'addType',
        type: 'event',
        attributes: { start: 'date!', end: 'date' },
        options: { checks: [{ that: 'end >= start', message: 'an event ends after it starts' }] },
      })
      expect(
        await refused('create', { type: 'event', data: { start: '2024-05-02', end: '2024-05-01' } }),
      ).toContain('an event ends after it starts')
      expect(
        await call('create', { type: 'event', data: { start: '2024-05-02', end: '2024-05-03' } }),
      ).toContain('2024-05-03')
    },
  },
  'compute a value of others': {
    calls: 3,
    async run({ call, edit }) {
      await edit({
        do: 'setAttribute',
        type: 'author',
        attribute: 'shown',
        value: { computed: '"by " + name' },
      })
      expect(await call('find', { type: 'author' })).toContain('"shown":"by Ann"')
    },
  },
  'mend an edit by the words of its plan': {
    calls: 3,
    async run({ plan, edit }) {
      const { faults = '' } = await plan({
        edits: [{ do: 'setAttribute', type: 'article', attribute: 'at', value: 'datetim' }],
      })
      const [, meant] = /did you mean "(\w+)"/.exec(faults) ?? []
      await edit({ do: 'setAttribute', type: 'article', attribute: 'at', value: meant })
    },
  },
  'change a type of values, and keep them': {
    calls: 3,
    async run({ call, edit }) {
      const { database } = await edit(
        { do: 'set', path: ['data', 'article', 0, 'views'], value: 12 },
        { do: 'set', path: ['data', 'article', 1, 'views'], value: 7 },
        { do: 'setAttribute', type: 'article', attribute: 'views', value: 'integer' },
      )
      expect(database.join()).toContain('from text to integer')
      expect(
        await call('find', { type: 'article', sort: ['views:desc'], filters: { views: { $gt: 8 } } }),
      ).toContain('"views":12')
    },
  },
  'take the last edits back': {
    calls: 4,
    async run({ call, edit, plan, read, file }) {
      await edit({ do: 'remove', type: 'article', attribute: 'views' })
      const { plan: token, mustAllow } = await plan({ undo: true })
      await call('file_apply', { undo: true, plan: token, allow: mustAllow })
      expect(read()).toBe(file)
    },
  },
  'serve one page': {
    calls: 4,
    async run({ call, edit, ask }) {
      await edit(
        { do: 'addType', type: 'homepage', attributes: { headline: 'string!' }, options: { kind: 'single' } },
        { do: 'allow', role: 'public', permission: 'homepage.find' },
      )
      await call('update', { type: 'homepage', data: { headline: 'Welcome' } })
      expect(await call('find', { type: 'homepage' })).toContain('Welcome')
      expect((await ask('/api/homepage')).body).toContain('Welcome')
    },
  },
  'bring in many entries': {
    calls: 3,
    async run({ call }) {
      expect(await call('describe', { type: 'author' })).toContain('createMany')
      await call('createMany', {
        type: 'author',
        data: Array.from({ length: 50 }, (_, index) => ({ name: `Author ${index}` })),
      })
      expect(await call('count', { type: 'author' })).toContain('52')
    },
  },
}

test('there are twenty tasks and more', () => {
  expect(Object.keys(TASKS).length).toBeGreaterThanOrEqual(20)
})

test.each(Object.entries(TASKS))('%s', async (_, { file: text = blog, calls, run }) => {
  const file = await openEditedFile(text)
  let made = 0
  const tool = async (name: string, given: object = {}) => {
    made++
    const { isError, texts } = await file.agent.tool(name, { ...given })
    return { isError, text: texts.join('\n') }
  }
  const call = async (name: string, given?: object): Promise<string> => {
    const { isError, text: said } = await tool(name, given)
    expect(isError, said).toBe(false)
    return said
  }
  const plan = async (given: object): Promise<PlanAnswer> =>
    JSON.parse(await call('file_plan', given)) as PlanAnswer
  try {
    await run({
      ...{ ...file, call, plan, file: text },
      async refused(name, given) {
        const { isError, text: said } = await tool(name, given)
        expect(isError, said).toBe(true)
        return said
      },
      async edit(...edits) {
        const planned = await plan({ edits })
        expect(planned.faults).toBeUndefined()
        await call('file_apply', { edits, plan: planned.plan, allow: planned.mustAllow })
        return planned
      },
      async ask(url, as) {
        const response = await (as === undefined ? file.cms.fetch(url) : file.cms.as(as)(url))
        return { status: response.status, body: await response.text() }
      },
    } as Agent & { file: string })
    expect(made).toBe(calls)
  } finally {
    await file.close()
  }
})
