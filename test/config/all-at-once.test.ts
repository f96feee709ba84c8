// All faults of a file are told at once: a fault of one step does not hide those of later ones, and brings no others.

import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkConfig } from '../../src/app/check-config.ts'
import { checkSeed } from '../../src/app/check-seed.ts'
import { env } from './check-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'cms-run-all-at-once-'))

async function faultsOf(text: string): Promise<readonly string[]> {
  const file = join(folder, 'cms.yaml')
  writeFileSync(file, text)
  const { diagnostics } = await checkSeed(await checkConfig({ file }, { env: {} }))
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  return errors.map(({ code, path }) => `${code} ${path.join('.')}`).sort()
}

const files: readonly (readonly [what: string, text: string, faults: readonly string[]])[] = [
  [
    'an attribute, what names it, and one fault of each later step',
    `
contentTypes:
  job:
    title: string!
    kind: strng
    size: [S, M]
    company: company
  company: { name: { type: string, required: true, minLength: 3 }, lead: { type: relation, relation: oneToOne, target: nobody } }
auth:
  roles:
    authenticated:
      - job.find: { where: kind == "a", fields: [kind, title] }
      - job.update: { where: titel == "b", set: { kind: role } }
      - company.find: { where: lead == me }
      - compny.find
data:
  companies: [{ name: ab }, { nam: x }, { name: abc, lead: 5 }]
  jobs: [{ title: a, kind: 5, company: abc }, {}]
`,
    [
      'CFG017 contentTypes.job.attributes.kind',
      'MOD020 contentTypes.company.attributes.lead.target',
      'MOD060 auth.roles.authenticated.permissions.3',
      'MOD081 data.companies.1.nam',
      'RUL001 auth.roles.authenticated.permissions.1.job.update.where',
      'SEED001 data.companies.0.name',
      'SEED001 data.jobs.1.title',
    ],
  ],
  [
    'a user, and an entry that names it',
    `
contentTypes: { note: { text: string!, by: user } }
auth: { users: [{ username: ann, email: ann@example.com, password: 123456 }] }
data: { note: [{ text: a, by: ann }, { txt: b }] }
`,
    ['CFG010 auth.users.0.password', 'MOD081 data.note.1.txt'],
  ],
  [
    'both sides of a relation, one of them wrong',
    `
contentTypes:
  article: { attributes: { author: { type: relation, relation: manyToOn, target: author, inversedBy: articles }, title: string } }
  author: { attributes: { articles: { type: relation, relation: oneToMany, target: article, mappedBy: author }, name: string } }
public: [article.find: { where: titel == "a" }]
`,
    [
      'CFG013 contentTypes.article.attributes.author.relation',
      'RUL001 auth.roles.public.permissions.0.article.find.where',
    ],
  ],
  [
    'a content-type whose name is wrong, and others that name it',
    `
contentTypes:
  'big article': { title: string }
  note: { about: { type: relation, relation: manyToOne, target: big article }, text: text }
public: ['big article.find', note.fnd]
data: { 'big articles': [], notes: [{ txt: a }] }
`,
    [
      'CFG014 auth.roles.public.permissions.0',
      'CFG016 contentTypes.big article',
      'CFG016 data.big articles',
      'MOD060 auth.roles.public.permissions.1',
      'MOD081 data.notes.0.txt',
    ],
  ],
  [
    'a setting, entries of a list before and after, a rule',
    `
server: { prot: 80, port: 70000 }
contentTypes: { note: { text: { type: text, maxLength: 3 } } }
data: { notes: [{ text: abcd }, [], { text: abcde }, { txt: a }] }
auth: { roles: { public: [note.find, 'note find', note.fnd, { note.find: { where: txt == "a" } }] } }
`,
    [
      'CFG010 data.notes.1',
      'CFG012 server.prot',
      'CFG014 auth.roles.public.permissions.1',
      'CFG015 server.port',
      'MOD060 auth.roles.public.permissions.2',
      'MOD081 data.notes.3.txt',
      'RUL001 auth.roles.public.permissions.3.note.find.where',
      'SEED001 data.notes.0.text',
      'SEED001 data.notes.2.text',
    ],
  ],
  [
    'a plugin that is set up wrongly, and what it is for',
    `
plugins: { i18n: { config: { locals: [en, fr] } } }
contentTypes: { note: { localized: true, attributes: { text: text } } }
data: { notes: [{ text: { en: a, fr: b } }, { txt: a }] }
`,
    ['CFG012 plugins.i18n.config.locals', 'MOD081 data.notes.1.txt'],
  ],
  [
    'an attribute that is computed from a faulty one',
    `
contentTypes:
  order: { price: mony, tax: { computed: price + 1 }, twice: { computed: count + 1 }, unique: [[price, number]], number: int }
`,
    ['CFG017 contentTypes.order.attributes.price', 'MOD096 contentTypes.order.attributes.twice.computed'],
  ],
]

test.each(files)('%s', async (_, text, faults) => {
  expect(await faultsOf(text)).toEqual(faults)
})

const corpus = join(import.meta.dirname, 'bad')
const wrongRule = `
auth: { roles: { prober: ['plugin::users-permissions.user.find': { where: nothing_here == 1 }] } }
`

/** Why a file says nothing of the rule: by codes, or by the name of the file. */
const reasons: readonly (readonly [reason: string, codes: RegExp])[] = [
  ['the file cannot be read', /^CFG0(?:[02]\d|3[0-2])/],
  ['there are no content-types', /^CFG011/],
]
const exceptions: Readonly<Record<string, string>> = {
  'key-unknown-section.yaml': 'a section is mistyped: what would be in it is not known',
  'type-list-for-map.yaml': 'the content-types cannot be read',
  'model-plugin-type-unknown.yaml': 'the rule names the content-type that is wrong',
  'model-path-of-plugin.yaml': 'a content-type that is wrong has the name of the one in the rule',
  'renames.yaml': 'a content-type that is wrong has the name of the one in the rule',
  'yaml-latin-1.yaml': 'only its bytes are wrong, and this test reads it as text',
  'trouble-in-production.yaml': 'the rule is what needs the secret that is missing',
}

test('each file with a fault, and a wrong rule behind it', async () => {
  const unexplained: string[] = []
  let both = 0
  for (const name of readdirSync(corpus).filter((one) => one.endsWith('.yaml'))) {
    const text = readFileSync(join(corpus, name), 'utf8')
    if (/^["']?(?:auth|public|\{)/m.test(text) || /users-permissions["']?: *false/.test(text)) continue
    const file = join(corpus, name)
    const { diagnostics } = await checkConfig({ file, text: `${text}${wrongRule}` }, { env })
    const report = readFileSync(file.replace(/yaml$/, 'txt'), 'utf8')
    const before = [...report.matchAll(/^(?:error|warning)\[(\w+)\]/gm)].map(([, code]) => code)
    const codes = diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code)
    const missing = before.filter((code) => !diagnostics.some((one) => one.code === code))
    if (codes.includes('RUL001') && missing.length === 0) both += 1
    else if (
      exceptions[name] === undefined &&
      !reasons.some(([, explained]) => codes.some((code) => explained.test(code)))
    )
      unexplained.push(`${name}: ${codes.join(' ')}`)
  }
  expect(unexplained).toEqual([])
  expect(both).toBeGreaterThan(100)
})
