// Tools for the file: edits keep comments, are planned before they are written, and widen nothing without the word for it.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'
import { type EditedFile, openEditedFile } from '../support/edited-file.ts'
import { connectMcp } from '../support/mcp-client.ts'

const TOKEN = 'a-token-of-a-test-with-everything-0001'
const text = `# A blog
plugins: { mcp: true }
contentTypes:
  # What readers read
  article:
    title: string! # its heading
    cost: { type: int, private: true }
    tags: [tag]
  tag: { label: string! }
components:
  seo: { description: text }
auth:
  roles:
    public: [article.find] # everybody
    editor: { permissions: ['article.*', { tag.read: { where: 'label != "x"' } }] }
  apiTokens:
    - { name: full, type: full-access, token: ${TOKEN} }
data:
  articles:
    - { title: First, cost: 4711 }
`

let file: EditedFile
afterEach(() => file.close())

async function open(now = text, options = {}): Promise<EditedFile> {
  file = await openEditedFile(now, options)
  return file
}

const FILE_TOOLS = [
  'file_read',
  'file_plan',
  'file_apply',
  'file_test',
  'explain_permission',
  'explain_query',
]

describe('who has them', () => {
  const list = async (now: string, token: string): Promise<readonly string[]> => {
    const { cms } = await open(now)
    const { client } = await connectMcp(cms, token)
    const { tools } = await client.listTools()
    await client.close()
    return tools.map(({ name }) => name).filter((name) => FILE_TOOLS.includes(name))
  }
  const production = text
    .replace('plugins:', 'server: { environment: production }\nplugins:')
    .replace('# A blog', `jwtSecret: 0123456789abcdef0123456789abcdef`)
  test.each([
    ['a token with everything, in development', text, TOKEN, FILE_TOOLS],
    ['nobody', text, '', []],
    ['a token with everything, switched off', text.replace('mcp: true', 'mcp: { edit: false }'), TOKEN, []],
    ['a token with everything, in production', production, TOKEN, []],
    ['the same, switched on', production.replace('mcp: true', 'mcp: { edit: true }'), TOKEN, FILE_TOOLS],
  ])('%s', async (_, now, token, expected) => {
    expect(await list(now, token)).toEqual(expected)
  })

  test('a role with every permission does not', async () => {
    const { cms } = await open(
      text.replace('public: [article.find]', "public: ['api::*.*.*', 'plugin::users-permissions.*.*']"),
    )
    const { client, tool } = await connectMcp(cms)
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('file_read')
    expect(await tool('file_apply', { edits: [], plan: '' })).toMatchObject({ isError: true })
    await client.close()
  })

  test('a program that opens a file keeps it', async () => {
    await open()
    const cms = await createCms(join(file.folder, 'cms.yaml'))
    const { client } = await connectMcp(cms, TOKEN)
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('file_read')
    await client.close()
    await cms.close()
  })
})

test('edits change the lines that they are about', async () => {
  await open()
  await file.apply(
    {
      do: 'addType',
      type: 'comment',
      attributes: { text: 'text!', article: 'article' },
      options: { drafts: true },
    },
    { do: 'addComponent', component: 'link', attributes: { label: 'string!', url: 'url' } },
    { do: 'setAttribute', type: 'article', attribute: 'links', value: ['link'] },
    { do: 'setAttribute', component: 'seo', attribute: 'title', value: { type: 'string', maxLength: 60 } },
    { do: 'allow', role: 'public', permission: 'comment.create', rule: { fields: ['text', 'article'] } },
    { do: 'revoke', role: 'editor', permission: 'tag.read' },
    { do: 'addEntries', type: 'article', entries: [{ title: 'Second' }] },
    { do: 'addEntries', type: 'comment', entries: [{ text: 'Yes', article: 'Second' }] },
    { do: 'set', path: ['name'], value: 'Blog' },
  )
  expect(file.read()).toBe(`# A blog
plugins: { mcp: true }
contentTypes:
  # What readers read
  article:
    title: string! # its heading
    cost: { type: int, private: true }
    tags: [tag]
    links: [link]
  tag: { label: string! }
  comment:
    drafts: true
    attributes: { text: text!, article: article }
components:
  seo: { description: text, title: { type: string, maxLength: 60 } }
  link: { label: string!, url: url }
auth:
  roles:
    public: [article.find, { comment.create: { fields: [text, article] } }] # everybody
    editor: { permissions: ['article.*'] }
  apiTokens:
    - { name: full, type: full-access, token: ${TOKEN} }
data:
  articles:
    - { title: First, cost: 4711 }
    - { title: Second }
  comment:
    - { text: Yes, article: Second }
name: Blog
`)
  const { texts } = await file.agent.tool('find', { type: 'comment', populate: 'article' })
  expect(texts[0]).toContain('"title":"Second"')
})

test('a rename keeps stored values', async () => {
  await open(text.replace('plugins:', 'database: { client: sqlite, filename: cms.db }\nplugins:'))
  await file.agent.tool('create', { type: 'article', data: { title: 'Written' } })
  const said = await file.plan({
    edits: [
      { do: 'rename', type: 'article', attribute: 'title', to: 'headline' },
      { do: 'rename', type: 'tag', to: 'label-of' },
      { do: 'setAttribute', type: 'article', attribute: 'tags', value: ['label-of'] },
      { do: 'revoke', role: 'editor', permission: 'tag.read' },
    ],
  })
  expect(said.faults).toBeUndefined()
  await file.apply(
    { do: 'rename', type: 'article', attribute: 'title', to: 'headline' },
    { do: 'rename', type: 'tag', to: 'label-of' },
    { do: 'setAttribute', type: 'article', attribute: 'tags', value: ['label-of'] },
    { do: 'revoke', role: 'editor', permission: 'tag.read' },
  )
  expect(file.read()).toContain('headline: { type: string!, renamedFrom: title } # its heading')
  expect(file.read()).toContain('- { headline: First, cost: 4711 }')
  const { texts } = await file.agent.tool('find', { type: 'article' })
  expect(texts[0]).toContain('"headline":"Written"')
})

test('faults quote no value that the file hides, though an edit makes its attribute another one', async () => {
  const attributes = [
    'cost: { type: int, private: true }',
    'pin: password',
    'note: { type: text, private: true }',
  ]
  const note = `opened by hand, and longer than a message shows ${'x'.repeat(60)}`
  await open(
    text
      .replace(attributes[0] ?? '', attributes.join('\n    '))
      .replace('cost: 4711 }', `cost: 4711, pin: opened by hand, note: "${note}" }`),
  )
  for (const value of [
    'tag',
    ['tag'],
    'date',
    { type: 'string', maxLength: 2 },
    { type: 'component', component: 'seo' },
  ]) {
    const edits = ['cost', 'pin', 'note'].map((attribute) => ({
      do: 'setAttribute',
      type: 'article',
      attribute,
      value,
    }))
    const { faults = '' } = await file.plan({ edits })
    expect(faults).toMatch(/^error\[(MOD|SEED)/m)
    expect(faults).not.toMatch(/4711|opened by hand/)
  }
})

describe('nothing is written', () => {
  test('without the words of the plan', async () => {
    await open()
    const edits = [{ do: 'allow', role: 'public', permission: 'article.create' }]
    const { mustAllow, plan } = await file.plan({ edits })
    expect(mustAllow).toEqual(['the role public gains api::article.article.create'])
    for (const allow of [[], undefined, ['*'], ['the role public gains api::article.article.find']]) {
      const { isError, texts } = await file.agent.tool('file_apply', { edits, plan, allow })
      expect(isError).toBe(true)
      expect(texts[0]).toMatch(/stays as it is.*|"allow" is a list/)
    }
    expect(file.read()).toBe(text)
    expect((await file.agent.tool('file_apply', { edits, plan, allow: mustAllow })).isError).toBe(false)
  })

  test('without the plan of these edits and this file', async () => {
    await open()
    const edits = [{ do: 'setAttribute', type: 'article', attribute: 'body', value: 'text' }]
    const { plan = '' } = await file.plan({ edits })
    const other = [{ do: 'setAttribute', type: 'article', attribute: 'body', value: 'markdown' }]
    const said = /not of this file and these edits/
    expect((await file.agent.tool('file_apply', { edits: other, plan })).texts[0]).toMatch(said)
    expect((await file.agent.tool('file_apply', { edits, plan: 'made up' })).texts[0]).toMatch(said)
    file.write(`${text}# by hand\n`)
    expect((await file.agent.tool('file_apply', { edits, plan })).texts[0]).toMatch(said)
    expect(file.read()).toBe(`${text}# by hand\n`)
  })

  test('that drops values, unless it is named', async () => {
    const destructive = 'database: { client: sqlite, filename: cms.db, migrations: { destructive: apply } }'
    await open(text.replace('plugins:', `${destructive}\nplugins:`))
    const edits = [
      { do: 'remove', type: 'article', attribute: 'cost' },
      { do: 'unset', path: ['data'] },
    ]
    const { mustAllow, plan } = await file.plan({ edits })
    expect(mustAllow).toEqual(['drops: column articles.cost is dropped with 1 value'])
    expect((await file.agent.tool('file_apply', { edits, plan })).isError).toBe(true)
    expect((await file.agent.tool('file_apply', { edits, plan, allow: mustAllow })).isError).toBe(false)
  })

  test('with faults of the file', async () => {
    await open()
    const edits = [{ do: 'setAttribute', type: 'article', attribute: 'body', value: 'strng' }]
    const { faults, plan } = await file.plan({ edits })
    expect(faults).toMatch(/CFG017[\s\S]*did you mean "string"/)
    expect(plan).toBeUndefined()
    expect((await file.agent.tool('file_apply', { edits, plan: '' })).texts[0]).toContain('CFG017')
  })

  test('that the database refuses when it is served', async () => {
    await open()
    // The plan is right, and then somebody writes.
    const edits = [
      { do: 'setAttribute', type: 'article', attribute: 'title', value: { type: 'string', unique: true } },
    ]
    const { plan } = await file.plan({ edits })
    await file.agent.tool('create', { type: 'article', data: { title: 'First' } })
    const { isError, texts } = await file.agent.tool('file_apply', { edits, plan })
    expect(isError).toBe(true)
    expect(texts[0]).toMatch(/stays as it is|is as it was/)
    expect(file.read()).toBe(text)
  })

  test.each<[string, object, RegExp]>([
    ['a variable', { do: 'set', path: ['name'], value: `\${HOME}` }, /no variables of the environment/],
    ['a setting', { do: 'set', path: ['server', 'cors'], value: {} }, /"server.cors" is edited by hand/],
    ['a token', { do: 'set', path: ['auth', 'apiTokens'], value: [] }, /is edited by hand/],
    ['a plugin', { do: 'unset', path: ['plugins'] }, /is edited by hand/],
    [
      'an unknown type',
      { do: 'setAttribute', type: 'articel', attribute: 'a', value: 'text' },
      /no content-type "articel".*: it has article, tag/,
    ],
    [
      'a permission that is not there',
      { do: 'revoke', role: 'public', permission: 'tag.find' },
      /it has \["article.find"\]/,
    ],
    ['a type that is there', { do: 'addType', type: 'Article', attributes: {} }, /is in the file/],
    ['an unknown edit', { do: 'alow', role: 'public' }, /did you mean "allow"/],
    ['an unknown member', { do: 'unset', path: ['name'], x: 1 }, /has no "x": it takes do, path/],
    ['a missing member', { do: 'allow', role: 'public' }, /needs "permission"/],
    ['two subjects', { do: 'remove', type: 'tag', component: 'seo' }, /either "type" or "component"/],
    ['a wrong value', { do: 'addEntries', type: 'tag', entries: [1] }, /list of at most 200 maps/],
  ])('that names %s', async (_, edit, said) => {
    await open()
    const { isError, texts } = await file.agent.tool('file_plan', { edits: [edit] })
    expect(isError).toBe(true)
    expect(texts[0]).toMatch(said)
  })

  test.each<[string, readonly object[], RegExp]>([
    [
      'a file',
      [
        { do: 'addType', type: 'picture', attributes: { image: 'file' } },
        { do: 'addEntries', type: 'picture', entries: [{ image: './.env' }] },
      ],
      /name no files \(.*\.env\)/,
    ],
    [
      'a user',
      [
        { do: 'addType', type: 'note', attributes: { by: 'user' } },
        {
          do: 'addEntries',
          type: 'note',
          entries: [
            { by: { username: 'eve', email: 'eve@example.com', password: 'sea-and-salt', role: 'editor' } },
          ],
        },
      ],
      /make and change no users/,
    ],
    [
      'a handler',
      [
        {
          do: 'set',
          path: ['contentTypes', 'article', 'rest'],
          value: { config: { find: { handler: './code.ts' } } },
        },
      ],
      /load no files that the configuration does not name yet/,
    ],
    [
      'an open route',
      [
        {
          do: 'set',
          path: ['contentTypes', 'article', 'rest'],
          value: { config: { find: { auth: false } } },
        },
      ],
      /name code: edit them by hand/,
    ],
    [
      'a file of entries',
      [{ do: 'set', path: ['data', 'tag'], value: './tags.yaml' }],
      /load no files that the configuration does not name yet/,
    ],
  ])('that brings in %s', async (_, edits, said) => {
    await open()
    writeFileSync(join(file.folder, '.env'), 'SECRET=1')
    writeFileSync(join(file.folder, 'code.ts'), 'export default () => ({})')
    writeFileSync(join(file.folder, 'tags.yaml'), '- label: x')
    const { faults, plan } = await file.plan({ edits })
    expect(faults).toMatch(said)
    expect(plan).toBeUndefined()
  })
})

test('in production, an edit with its words is served at once', async () => {
  const settings = 'jwtSecret: 0123456789abcdef0123456789abcdef\nserver: { environment: production }\n'
  await open(settings + text.replace('mcp: true', 'mcp: { edit: true }'))
  const send = () =>
    file.cms.fetch('/api/articles', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ data: { title: 'Second' } }),
    })
  expect((await send()).status).toBe(403)
  expect(await file.apply({ do: 'allow', role: 'public', permission: 'article.create' })).toBe(
    'Written, and served.',
  )
  expect((await send()).status).toBe(200)
})

test('the last edits are taken back, one after the other', async () => {
  await open()
  await file.apply({ do: 'setAttribute', type: 'article', attribute: 'body', value: 'text' })
  const between = file.read()
  await file.apply({ do: 'revoke', role: 'public', permission: 'article.find' })
  // Taking it back gives the permission again, and so must be allowed.
  const { plan, mustAllow } = await file.plan({ undo: true })
  expect(mustAllow).toEqual(['the role public gains api::article.article.find'])
  expect((await file.agent.tool('file_apply', { undo: true, plan })).isError).toBe(true)
  expect((await file.agent.tool('file_apply', { undo: true, plan, allow: mustAllow })).isError).toBe(false)
  expect(file.read()).toBe(between)
  const again = await file.plan({ undo: true })
  await file.agent.tool('file_apply', { undo: true, plan: again.plan })
  expect(file.read()).toBe(text)
  expect((await file.agent.tool('file_plan', { undo: true })).texts[0]).toContain('left to undo')
})

test('the file is read without its secrets', async () => {
  await open(text.replace('# A blog', 'jwtSecret: a-secret-of-the-test-0123456789abcdef'))
  const { texts } = await file.agent.tool('file_read')
  expect(texts[0]).toContain('title: string! # its heading')
  expect(texts[0]).not.toContain(TOKEN)
  expect(texts[0]).not.toContain('a-secret-of-the-test')
  const part = await file.agent.tool('file_read', { path: ['contentTypes', 'tag'] })
  expect(part.texts[0]).toBe('tag: { label: string! }')
  const token = await file.agent.tool('file_read', { path: ['auth', 'apiTokens', 0] })
  expect(token.texts[0]).not.toContain(TOKEN)
  expect((await file.agent.tool('file_read', { path: ['nothing'] })).texts[0]).toContain('has no "nothing"')
})

test('cases run against the file, as it is', async () => {
  await open()
  const cases =
    'cases:\n  lists: [{ get: /api/articles, expect: 200 }]\n  hides: [{ get: /api/tags, expect: 200 }]\n'
  const { texts } = await file.agent.tool('file_test', { cases })
  expect(texts[0]).toMatch(/ok {4}lists .*\nFAIL {2}hides[\s\S]*1 of 2 cases passed/)
  expect((await file.agent.tool('file_test')).texts[0]).toContain('there is no file cases.yaml')
  const other = await file.agent.tool('file_test', { cases: 'config: ../other.yaml\ncases: {}\n' })
  expect(other.texts[0]).toContain('those of another file')
})

test('why somebody may do something, and what the database is asked', async () => {
  await open()
  const may = await file.agent.tool('explain_permission', { as: 'role:editor', permission: 'tag.find' })
  expect(may.texts[0]).toMatch(/under a rule[\s\S]*label != "x"[\s\S]*select/)
  const not = await file.agent.tool('explain_permission', { permission: 'tag.find' })
  expect(not.texts[0]).toContain('nothing in auth.roles.public.permissions allows it')
  const sql = await file.agent.tool('explain_query', { as: 'role:editor', url: '/api/tags?sort=label' })
  expect(sql.texts[0]).toMatch(
    /select .* from `tags`[\s\S]*`label` <> \?[\s\S]*filters label \$ne, sort label/,
  )
  const refused = await file.agent.tool('explain_query', { url: '/api/tags' })
  expect(refused.texts[0]).toContain('refused (403)')
  const invalid = await file.agent.tool('explain_query', { url: '/api/articles?filters[cost]=1' })
  expect(invalid.texts[0]).toContain('refused (400)')
  expect((await file.agent.tool('explain_query', { url: '/api/tag' })).texts[0]).toContain(
    'did you mean "/api/tags"',
  )
})
