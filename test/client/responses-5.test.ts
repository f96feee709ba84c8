// Types and client of `dialect: strapi-5`: real answers are as the types say, and programs are checked against them.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { queryText } from '../../src/client/query-text.ts'
import { type Cms, createCms } from '../../src/index.ts'
import { everything } from '../archive/content-of-everything.ts'
import { newFolder } from '../archive/in-file.ts'
import { compilePrograms } from '../support/compile-programs.ts'
import { runCommand } from '../support/run-command.ts'

const more = `
  shelf: { kind: singleType, options: { draftAndPublish: true }, attributes: { label: { type: string, required: true } } }
  note:
    options: { draftAndPublish: true }
    attributes:
      text: { type: string, required: true }
      tag: { type: relation, relation: manyToOne, target: api::tag.tag }
`
const config = `dialect: strapi-5\n${everything
  .replace('contentTypes:\n', `contentTypes:${more}`)
  .replace(
    'auth:\n',
    "auth:\n  roles: { public: { permissions: ['api::*', 'plugin::upload.content-api.*'] } }\n",
  )
  .replace(
    'data:\n',
    'data:\n  note: [{ id: 1, text: hi, tag: 9 }, { id: 2, publishedAt: null }]\n  shelf: { label: first }\n',
  )}`

const folder = mkdtempSync(join(tmpdir(), 'cms-run-answers-5-'))
const file = join(folder, 'cms.yaml')
let cms: Cms
let declarations: string
let source: string
beforeAll(async () => {
  writeFileSync(file, config)
  const made = async (command: string): Promise<string> => {
    const { code, out, err } = await runCommand([command, file], { cwd: dirname(file) })
    expect({ code, err: err.includes('error') ? err : '' }).toEqual({ code: 0, err: '' })
    return out
  }
  declarations = await made('types')
  source = await made('client')
  cms = await createCms(file, { env: {} })
})
afterAll(async () => {
  await cms?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A value as a type. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `readonly [${value.map(literal).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}: ${literal(inner)}`)
    return `{ ${members.join('; ')} }`
  }
  return value === undefined ? 'undefined' : JSON.stringify(value)
}

interface Question {
  readonly populate?: unknown
  readonly fields?: unknown
}

const questions: Readonly<Record<string, readonly Question[]>> = {
  article: [
    {},
    { fields: ['title', 'mood'] },
    { populate: '*' },
    { populate: ['cover', 'seo.image', 'quotes.seo', 'tags.articles'] },
    {
      fields: ['title'],
      populate: {
        cover: { fields: ['url'] },
        tags: { populate: '*' },
        localizations: { fields: ['locale'] },
      },
    },
    { populate: { zone: { on: { 'page.quote': { populate: '*' } } } } },
    { populate: { tags: { count: true } } },
  ],
  tag: [{}, { populate: '*' }, { populate: { articles: { populate: '*' } } }],
  comment: [{}, { populate: '*' }],
  note: [{}, { fields: 'text', populate: { tag: true } }],
}

test('real answers are as the types say', async () => {
  const lines: string[] = []
  const add = (type: string, body: unknown): void =>
    void lines.push(`export const answer${lines.length}: ${type} = ${JSON.stringify(body)}`)
  for (const [name, asked] of Object.entries(questions)) {
    const shape = `${name[0]?.toUpperCase()}${name.slice(1)}Shape`
    for (const question of asked) {
      const chosen = `{ populate: ${literal(question.populate)}; fields: ${literal(question.fields)} }`
      for (const status of ['published', 'draft'] as const) {
        const text = queryText({ ...question, status })
        const list = (await (await cms.fetch(`/api/${name}s?${text}`)).json()) as {
          data: { documentId: string }[]
        }
        expect({ text, found: list.data?.length > 0 || list }).toEqual({ text, found: true })
        add(`List<Entity<${shape}, ${chosen}, '${status}'>, undefined, true>`, list)
        const one: unknown = await (
          await cms.fetch(`/api/${name}s/${list.data[0]?.documentId}?${text}`)
        ).json()
        add(`One<Entity<${shape}, ${chosen}, '${status}'>>`, one)
        // Lists of names are lists there.
        if (typeof question.fields === 'string') continue
        const found = await cms.entries(name).findMany({ ...question, status } as never)
        add(`readonly FlatEntry<${shape}, ${chosen}, '${status}'>[]`, found)
      }
    }
  }
  const published = {
    data: [{ id: 1, documentId: 'a', text: null, createdAt: '', updatedAt: '', publishedAt: '' }],
    meta: { pagination: { page: 1, pageSize: 1, pageCount: 1, total: 1 } },
  }
  add(`List<Entity<NoteShape, unknown, 'published'>, undefined, true>`, published)
  const without = {
    data: [{ id: 1, text: '', createdAt: '', updatedAt: '', publishedAt: '' }],
    meta: published.meta,
  }
  add(`List<Entity<NoteShape, unknown, 'published'>, undefined, true>`, without)
  const names = [...source.matchAll(/^export (?:type|interface) (\w+)/gm)].map(([, each]) => each)
  const found = compilePrograms(newFolder(), {
    'client.ts': source,
    'answers.ts': `import type { ${names.join(', ')} } from './client.ts'\n${lines.join('\n')}\n`,
  })
  const faults = [...found.values()].flat().map((line) => line.slice(0, 500))
  expect(lines.length).toBeGreaterThan(70)
  const at = (index: number): unknown => expect.stringMatching(new RegExp(`^answers\\.ts\\(${index + 2},`))
  expect(faults).toEqual([at(lines.length - 2), at(lines.length - 1)])
})

const head = `
import type { Cms, UserCms } from 'cms-run'
import type { Note, NoteInput } from './content.js'
import { createClient } from './client.ts'
declare const cms: Cms
declare const strapi: UserCms['strapi']
const client = createClient({ url: 'http://localhost:1337' })
const notes = client.collection('notes')
const entries = cms.entries('note')
const documents = strapi.documents('api::note.note')
export type { Note, NoteInput }
export { documents, entries, notes }
`

const right = `${head}
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <A, B>(_: Equal<A, B>): void => {}
const { data: made } = await notes.create({ text: 'a', tag: 'documentid' }, { populate: 'tag' })
same<(typeof made)['text'], string>(true)
const tag: string | null | undefined = made.tag?.name
const { data: draft } = await notes.create({}, { status: 'draft' })
same<(typeof draft)['text'], string | null>(true)
await notes.update(made.documentId, { text: 'b', tag: { connect: ['x', { documentId: 'y', position: { before: 'x' } }] } }, { status: 'draft' })
const list = await notes.find({ status: 'draft', filters: { documentId: made.documentId }, hasPublishedVersion: true })
same<(typeof list.data)[0]['text'], string | null>(true)
const one = await notes.findOne(made.documentId)
same<(typeof one.data)['text'], string>(true)
same<(typeof one.data)['publishedAt'], string>(true)
const gone: undefined = await notes.delete(made.documentId)
const article = await client.collection('articles').findOne('x', { locale: 'fr', populate: ['tags'] })
const first: string | undefined = article.data.tags[0]?.documentId
const shelf: string = (await client.single('shelf').find()).data.label
const note: Note = await entries.create({ text: 'a' })
await entries.create({}, { status: 'draft' })
await entries.update(note.documentId, { text: 'b' }, { status: 'draft' })
const [published] = await entries.findMany({ status: 'published' })
same<NonNullable<typeof published>['text'], string>(true)
await entries.publish(note.documentId)
await entries.delete(note.id)
const begun = await documents.create({ data: {} })
same<(typeof begun)['text'], string | null>(true)
await documents.create({ data: { text: 'a', tag: 'x' }, status: 'published', populate: 'tag' })
const seen = await documents.findMany({ status: 'published', filters: { text: 'a' }, populate: ['tag'], sort: 'text' })
same<(typeof seen)[0]['text'], string>(true)
const tagged: string | null | undefined = seen[0]?.tag?.name
const found = await documents.findOne({ documentId: begun.documentId })
same<NonNullable<typeof found>['text'], string | null>(true)
await documents.update({ documentId: begun.documentId, data: { text: 'b' } })
const out = await documents.publish({ documentId: begun.documentId })
const outs: readonly string[] = out.entries.map((entry) => entry.documentId)
await strapi.documents('api::article.article').delete({ documentId: 'x', locale: ['en', 'fr'] })
await strapi.documents('api::not.known').findMany({ status: 'draft', filters: { any: 1 } })
export { outs, tagged }
export { first, gone, shelf, tag }
`

const wrong: readonly (readonly [line: string, message: RegExp])[] = [
  ['await notes.create({})', /./],
  ["await notes.create({ text: 'a', publishedAt: null })", /publishedAt/],
  ['await notes.findOne(1)', /'number' is not assignable/],
  ["await notes.find({ publicationState: 'preview' })", /publicationState/],
  ["await notes.find({ status: 'preview' })", /preview/],
  ["const a = (await notes.findOne('a')).data.attributes", /'attributes' does not exist/],
  ['await entries.create({})', /./],
  ["await documents.create({ data: {}, status: 'published' })", /./],
  ["await documents.findMany({ status: 'preview' })", /preview/],
  ['await documents.findMany({ filters: { none: 1 } })', /none/],
  ["await documents.findOne('x')", /./],
  ["await strapi.documents('api::article.article').publish({ documentId: 'x', locale: 'de' })", /"de"/],
  ["await client.collection('articles').find({ locale: 'de' })", /"de"/],
]

test('programs are checked against them', () => {
  const found = compilePrograms(newFolder(), {
    'content.d.ts': declarations,
    'client.ts': source,
    'right.ts': right,
    'wrong.ts': `${head}${wrong.map(([line]) => `{ ${line} }\n`).join('')}`,
  })
  for (const name of ['content.d.ts', 'client.ts', 'right.ts'])
    expect({ name, faults: found.get(name) }).toEqual({ name, faults: [] })
  const from = head.split('\n').length
  for (const [index, [line, message]] of wrong.entries()) {
    const said = (found.get('wrong.ts') ?? []).filter((each) => each.startsWith(`wrong.ts(${from + index},`))
    expect({ line, said: said.join('\n') }).toEqual({ line, said: expect.stringMatching(message) })
  }
})

test('the client asks and writes', async () => {
  const out = join(folder, 'client.mjs')
  expect((await runCommand(['client', file, '--out', out], { cwd: folder })).code).toBe(0)
  const { createClient } = (await import(/* @vite-ignore */ pathToFileURL(out).href)) as {
    createClient(options: object): {
      collection(
        name: string,
      ): Record<string, (...args: unknown[]) => Promise<{ data: Record<string, unknown> }>>
    }
  }
  const notes = createClient({
    url: 'http://cms',
    fetch: (url: string, init: RequestInit) => cms.fetch(url, init),
  }).collection('notes')
  const { data } = (await notes['create']?.({}, { status: 'draft' })) ?? {}
  const id = data?.['documentId']
  expect((await notes['update']?.(id, { text: 'whole' }))?.data).toMatchObject({
    documentId: id,
    text: 'whole',
  })
  expect(await notes['delete']?.(id)).toBeUndefined()
  await expect(notes['findOne']?.(id)).rejects.toMatchObject({ status: 404 })
})
