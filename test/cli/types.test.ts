// `cms-run types` and `cms-run client`: what they write is checked by the compiler that its readers use, against right
// and wrong programs. That answers are as the types say is in test/client/.

import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { operatorNames } from '../../src/plan/operators.ts'
import { inFile, newFolder } from '../archive/in-file.ts'
import { compilePrograms } from '../support/compile-programs.ts'
import { runCommand } from '../support/run-command.ts'

const config = `
plugins:
  i18n: { config: { locales: [en, fr] } }
  users-permissions: { config: { jwtSecret: "0123456789abcdef0123456789abcdef" } }
components:
  shared.seo: { attributes: { metaTitle: { type: string, required: true }, image: { type: media, multiple: false } } }
  shared.box: { attributes: { width: { type: integer, required: true } } }
contentTypes:
  tag:
    attributes:
      name: { type: string, required: true }
      code: { type: string, required: true, default: x }
      path: { type: uid, targetField: name, required: true }
      box: { type: component, component: shared.box, required: true }
      articles: { type: relation, relation: manyToMany, target: api::article.article, mappedBy: tags }
  size: { attributes: { box: { type: component, component: shared.box }, odd_name: string } }
  home: { kind: singleType, attributes: { title: { type: string, required: true } } }
  order: { attributes: { number: { type: integer, required: true, writeOnce: true }, paid: { type: boolean, readOnly: true }, note: string, twice: { computed: number * 2, type: integer } } }
  filter: { attributes: { name: string } }
  article:
    info: { description: "What is read */ here" }
    options: { draftAndPublish: true }
    pluginOptions: { i18n: { localized: true } }
    rest: { except: [delete] }
    attributes:
      title: { type: string, required: true }
      secret: password
      internal: { type: string, private: true }
      rank: integer
      big: biginteger
      mood: { type: enumeration, enum: [good, "bad's"] }
      extra: json
      tags: { type: relation, relation: manyToMany, target: api::tag.tag, inversedBy: articles }
      main: { type: relation, relation: manyToOne, target: api::tag.tag }
      seo: { type: component, component: shared.seo }
      zone: { type: dynamiczone, components: [shared.seo, shared.box] }
      cover: { type: media, multiple: true }
`

const head = `
import { type Cms, createCms } from 'cms-run'
import type { Article, ArticleFilters, ArticleInput, ArticlePopulate, ArticleSort, Filter, HomeInput, Tag, TagInput } from './content.js'
import { ApiError, createClient } from './client.ts'
declare const cms: Cms
declare const whole: ArticlePopulate
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <A, B>(_: Equal<A, B>): void => {}
const articles = cms.entries('article')
const client = createClient({ url: 'http://localhost:1337', token: undefined })
const api = client.collection('articles')
export { ApiError, createCms }
export type { Article, ArticleFilters, ArticleInput, ArticleSort, Filter, HomeInput, Tag, TagInput }
`

const right = `${head}
// What may be written.
const input: ArticleInput = { title: 'a', secret: 'x', mood: "bad's", tags: [1], seo: { metaTitle: 'm' }, zone: [{ __component: 'shared.seo', metaTitle: 'z' }], cover: { connect: [{ id: 1 }] }, big: '1', publishedAt: null, locale: 'fr' }
const tag: TagInput = { name: 'n', box: { width: 1 } }
const article: Article = await articles.create(input)
await articles.create({ publishedAt: null })
await articles.update(1, { title: null, tags: { connect: [{ id: 2, position: { start: true } }] } })
await cms.entries('tag').create(tag)
await cms.entries('tag').update(1, { code: 'y' })
await client.collection('orders').create({ number: 1, note: 'x' })
await cms.entries('order').create({ number: 1, paid: false })
await cms.entries('order').update(1, { number: 2, paid: true })
const paid: boolean | null | undefined = (await cms.entries('order').findOne(1))?.paid
const twice: number | null | undefined = (await cms.entries('order').findMany({ filters: { twice: 2 } }))[0]?.twice

// Null only where it may be.
const [draft] = await articles.findMany()
const [live] = await articles.findMany({ publicationState: 'live' })
same<NonNullable<typeof draft>['title'], string | null>(true)
same<NonNullable<typeof live>['title'], string>(true)
same<NonNullable<typeof live>['rank'], number | null>(true)
same<NonNullable<typeof draft>['publishedAt'], string | null>(true)
same<NonNullable<typeof live>['publishedAt'], string>(true)
same<Article['createdAt'], string>(true)
same<Article['locale'], 'en' | 'fr'>(true)
same<Tag['name'], string>(true)
same<Article['mood'], 'good' | "bad's" | null>(true)

// What is there.
same<keyof NonNullable<typeof draft>, 'id' | 'title' | 'rank' | 'big' | 'mood' | 'extra' | 'createdAt' | 'updatedAt' | 'publishedAt' | 'locale'>(true)
const [some] = await articles.findMany({ fields: ['title', 'id'], populate: 'main' })
same<keyof NonNullable<typeof some>, 'id' | 'title' | 'main'>(true)
const [paths] = await articles.findMany({ populate: ['main.articles.cover', 'seo.image'] })
const size: number | null | undefined = paths?.main?.articles[0]?.cover[0]?.size
const url: string | undefined = paths?.seo?.image?.url
const all = await articles.findMany({ populate: '*' })
const everything: readonly Article[] = all
same<keyof NonNullable<(typeof all)[0]>['tags'][0], 'id' | 'name' | 'code' | 'path' | 'createdAt' | 'updatedAt'>(true)
const [deep] = await articles.findMany({ populate: { tags: { fields: ['name'], populate: '*' }, zone: { on: { 'shared.seo': { populate: '*' } } }, cover: { count: true }, main: false } })
same<keyof NonNullable<typeof deep>['tags'][0], 'id' | 'name' | 'box' | 'articles'>(true)
same<NonNullable<typeof deep>['cover'], { readonly count: number }>(true)
const part = deep?.zone[0]
const within: number | null | undefined = part?.__component === 'shared.box' ? part.width : part?.image?.size
const open: readonly Article[] = await articles.findMany({ populate: whole })
const optional: readonly Tag[] | undefined = (await articles.findMany({ populate: whole }))[0]?.tags
const [other] = await cms.entries('api::article.article').findMany({ populate: ['localizations'] })
const [locale] = other?.localizations.map((each) => each.locale) ?? []
const whatever: number | undefined = (await cms.entries('something' as string).findMany())[0]?.id
const named: Filter | null = await cms.entries('filter').findOne(1)
same<keyof NonNullable<Awaited<ReturnType<typeof size2>>>, 'id' | 'odd_name' | 'createdAt' | 'updatedAt'>(true)
async function size2() { return cms.entries('size').findOne(1) }

// What may be asked.
const filters: ArticleFilters = { mood: 'good', publishedAt: { $notNull: true }, cover: { size: { $gt: 1 } }, id: { $in: [1, 2] }, tags: { name: 'y', box: { width: { $gt: 3 } } }, $or: [{ rank: [1, 2] }, { main: { $null: true } }, { main: 3 }], $not: { extra: { $contains: 'x' } }, seo: { metaTitle: { $not: { $eq: 'x' } } } }
const sort: ArticleSort = ['tags.box.width:asc', 'id:desc', 'main.name', 'title']
await articles.findMany({ filters, sort })
await articles.findMany({ sort: { title: 'asc', main: { name: 'desc' } }, start: 1, limit: 2, locale: 'all' })
const count: number = await articles.count({ filters: { title: { $containsi: 'x' } }, locale: 'fr' })

// The same over REST.
const list = await api.find({ populate: ['tags', 'seo.image', 'main', 'cover'], filters: { tags: { name: 'x' } }, pagination: { start: 1 }, locale: 'fr', _q: 'x' })
const [entity] = list.data
same<NonNullable<typeof entity>['attributes']['title'], string>(true)
const first: string | undefined = entity?.attributes.tags.data[0]?.attributes.name
const path: string | undefined = entity?.attributes.seo?.image.data?.attributes.url
const none: null | undefined = entity?.attributes.cover.data === null ? null : undefined
const start: number = list.meta.pagination.start
const pages: number | undefined = (await api.find()).meta.pagination.pageCount
same<Awaited<ReturnType<typeof one>>['data']['attributes']['title'], string | null>(true)
async function one() { return api.findOne(1, { populate: '*' }) }
const created = await api.create({ title: 'x' }, { populate: { main: true } }, { signal: AbortSignal.timeout(1) })
const main: string | undefined = created.data.attributes.main.data?.attributes.name
await api.create({ publishedAt: null })
const home: string = (await client.single('home').find()).data.attributes.title
const user: string = (await client.login({ identifier: 'a', password: 'b' })).user.username
export { article, count, entity, everything, first, home, live, locale, main, named, none, open, optional, pages, paid, path, size, some, start, tag, twice, url, user, whatever, within }
`

/** Each is a program's line, and what the compiler says of it. */
const wrong: readonly (readonly [line: string, message: RegExp])[] = [
  ["const a: ArticleInput = { title: 'a', mood: 'so so' }", /'"so so"' is not assignable/],
  ['const a: ArticleInput = { rank: 1 }', /'title' is missing/],
  ['const a: TagInput = { name: null, box: { width: 1 } }', /'null' is not assignable to type 'string'/],
  ["const a: TagInput = { name: 'x' }", /'box' is missing/],
  [
    "const a: ArticleInput = { title: 'a', zone: [{ __component: 'shared.sea', metaTitle: 'x' }] }",
    /not assignable/,
  ],
  ["const a: ArticleInput = { title: 'a', locale: 'de' }", /'"de"' is not assignable/],
  ['const a: HomeInput = {}', /'title' is missing/],
  ['const a = (x: Article) => x.secret', /'secret' does not exist/],
  ['const a = (x: Article) => x.internal', /'internal' does not exist/],
  ['const a = (await articles.findMany())[0]?.tags', /'tags' does not exist/],
  ["const a = (await articles.findMany({ fields: ['title'] }))[0]?.rank", /'rank' does not exist/],
  ["await client.collection('orders').update(1, { number: 2 })", /'number' does not exist/],
  ["await client.collection('orders').create({ number: 2, paid: true })", /'paid' does not exist/],
  ["await cms.entries('order').create({ number: 2, twice: 4 })", /'twice' does not exist/],
  ['await articles.create({})', /not assignable/],
  ["await cms.entries('tag').create({ publishedAt: null })", /'publishedAt' does not exist/],
  ["await articles.findMany({ populate: ['tgas'] })", /'"tgas"' is not assignable/],
  ['await articles.findMany({ populate: { tags: true, seoo: true } })', /not assignable|does not exist/],
  ["await articles.findMany({ populate: { tags: { fields: ['nope'] } } })", /not assignable/],
  ["await articles.findMany({ filters: { titel: 'x' } })", /'titel' does not exist/],
  ["await articles.findMany({ filters: { secret: 'x' } })", /'secret' does not exist/],
  ["await articles.findMany({ filters: { zone: 'x' } })", /'zone' does not exist/],
  ["await articles.findMany({ filters: { tags: { nmae: 'x' } } })", /'nmae' does not exist/],
  ["await articles.findMany({ filters: { title: { $contians: 'x' } } })", /'\$contians' does not exist/],
  ["await articles.findMany({ filters: { rank: 'x' } })", /'string' is not assignable/],
  ["await articles.findMany({ sort: 'titel' })", /'"titel"' is not assignable/],
  ["await articles.findMany({ sort: ['main.nmae:asc'] })", /'"main.nmae:asc"' is not assignable/],
  ["await articles.findMany({ sort: ['title:up'] })", /'"title:up"' is not assignable/],
  ["await articles.findMany({ fields: ['titel'] })", /'"titel"' is not assignable/],
  ['await articles.findMany({ filtres: {} })', /'filtres' does not exist/],
  ["await articles.findMany({ locale: 'de' })", /'"de"' is not assignable/],
  ['await api.delete(1)', /'delete' does not exist/],
  ["client.collection('articls')", /'"articls"' is not assignable/],
  ["client.collection('home')", /'"home"' is not assignable/],
  ["await api.find({ populate: ['x'] })", /'"x"' is not assignable/],
  ['await api.find({ filters: { x: 1 } })', /'x' does not exist/],
  ["await client.single('home').find({ locale: 'all' })", /'string' is not assignable to type 'undefined'/],
]

async function made(command: string, file: string): Promise<string> {
  const { code, out, err } = await runCommand([command, file], { cwd: dirname(file) })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return out
}

test('declarations and a client that programs can be checked against', async () => {
  const file = inFile(config)
  const operators = operatorNames.filter((name) => !['$and', '$or'].includes(name))
  const found = compilePrograms(newFolder(), {
    'content.d.ts': await made('types', file),
    'client.ts': await made('client', file),
    'right.ts': right,
    'wrong.ts': `${head}${wrong.map(([line]) => `{ ${line} }\n`).join('')}`,
    'operators.ts': `import type { Operators } from './content.js'\nconst all: Record<keyof Operators<string>, true> = { ${operators.map((name) => `${name}: true`).join(', ')} }\nexport { all }\n`,
  })
  for (const name of ['content.d.ts', 'client.ts', 'right.ts', 'operators.ts'])
    expect({ name, faults: found.get(name) }).toEqual({ name, faults: [] })
  const first = head.split('\n').length
  const saidOf = (index: number): string =>
    (found.get('wrong.ts') ?? []).filter((line) => line.startsWith(`wrong.ts(${first + index},`)).join('\n')
  for (const [index, [line, message]] of wrong.entries())
    expect({ line, said: saidOf(index) }).toEqual({ line, said: expect.stringMatching(message) })
})

test('they stand where cms-run is not installed, and where declarations are checked', async () => {
  const file = inFile(config)
  const found = compilePrograms(
    newFolder(),
    {
      'content.d.ts': await made('types', file),
      'client.ts': await made('client', file),
      'page.ts':
        "import { createClient } from './client'\nimport type { Tag } from './content'\nexport const tags = async (): Promise<readonly Tag[]> => (await createClient({ url: '/' }).collection('tags').find()).data.map(({ id, attributes }) => ({ id, ...attributes }))\n",
    },
    {
      module: 'esnext',
      moduleResolution: 'bundler',
      skipLibCheck: false,
      paths: {},
      types: [],
      lib: ['es2022', 'dom'],
    },
  )
  expect([...found.values()].flat()).toEqual([])
})

test('a configuration that is wrong has no types', async () => {
  const file = inFile(config.replace('rank: integer', 'rank: intiger'))
  expect(await runCommand(['types', file], { cwd: '.' })).toMatchObject({ code: 1, out: '' })
})

test.each(['types', 'client'])('%s says nothing of what a server would do', async (command) => {
  const file = inFile(
    'users: [{ username: anna, email: anna@example.com, password: Secret123 }]\ncontentTypes: { note: { text: text } }\n',
  )
  expect(await runCommand([command, file], { cwd: dirname(file) })).toMatchObject({ code: 0, err: '' })
  expect((await runCommand(['validate', file], { cwd: dirname(file) })).err).toContain('PLG001')
})
