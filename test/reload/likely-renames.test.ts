// A key that was renamed without `renamedFrom`: the reload proposes the line, and pasting it brings the values back.

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'

const before = `
components:
  shared.seo: { attributes: { metaTitle: string, metaText: text } }
contentTypes:
  author:
    attributes: { name: string }
  article:
    attributes:
      title: { type: string, unique: true }
      words: integer
      author: { type: relation, relation: manyToOne, target: api::author.author }
      tags: { type: relation, relation: oneToMany, target: api::author.author }
      seo: { type: component, component: shared.seo }
auth: { roles: { public: { permissions: ['*.find', '*.create'] } } }
data:
  author: [{ id: 7, name: Ann }]
  article: [{ id: 5, title: One, words: 3, author: 7, tags: [7], seo: { metaTitle: M, metaText: T } }]
`

interface Opened {
  readonly cms: Cms
  /** Reloads with the text, and returns what the log says of it. */
  write(text: string): Promise<string>
}

function readable(line: string): string {
  const { message, error } = JSON.parse(line)
  return `${message} ${error?.stack ?? ''}`
}

async function opened(): Promise<Opened> {
  const file = join(mkdtempSync(join(tmpdir(), 'cms-run-likely-')), 'cms.yaml')
  let log: string[] = []
  writeFileSync(file, before)
  const cms = await createCms(file, { env: {}, log: (line) => void log.push(readable(line)) })
  return {
    cms,
    async write(text) {
      log = []
      writeFileSync(file, text)
      await cms.reload()
      return log.join('\n')
    },
  }
}

const renames: readonly (readonly [
  string,
  (text: string) => string,
  RegExp,
  (text: string) => string,
  string,
  object,
])[] = [
  [
    'an attribute with values',
    (text) => text.replace('title: {', 'headline: {'),
    /cms\.yaml:9:7\n[\s\S]*"renamedFrom: title" under "headline", as in "headline: \{ type: …, renamedFrom: title \}"/,
    (text) => text.replace('headline: {', 'headline: { renamedFrom: title,'),
    '/api/articles',
    { headline: 'One' },
  ],
  [
    'a relation',
    (text) => text.replace('author: {', 'writer: {'),
    /"renamedFrom: author" under "writer"/,
    (text) => text.replace('writer: {', 'writer: { renamedFrom: author,'),
    '/api/articles?populate=writer',
    { writer: { data: { id: 7, attributes: { name: 'Ann' } } } },
  ],
  [
    'a content-type, with its relations and components',
    (text) => text.replaceAll('  article:\n', '  post:\n').replace(/data:[\s\S]*/, ''),
    /"renamedFrom: article" under "post"/,
    (text) => text.replace('  post:\n', '  post:\n    renamedFrom: article\n'),
    '/api/posts?populate=*',
    { title: 'One', author: { data: { id: 7 } }, tags: { data: [{ id: 7 }] }, seo: { metaTitle: 'M' } },
  ],
  [
    'a component',
    (text) => text.replaceAll('shared.seo', 'page.meta'),
    /"renamedFrom: shared\.seo" under "page\.meta"/,
    (text) => text.replace('page.meta: {', 'page.meta: { renamedFrom: shared.seo,'),
    '/api/articles?populate=seo',
    { seo: { metaTitle: 'M', metaText: 'T' } },
  ],
]

describe.each(renames)('%s', (_what, renamed, proposal, pasted, path, expected) => {
  test('is proposed with its place, and pasting the line brings everything along', async () => {
    const { cms, write } = await opened()
    const log = await write(renamed(before).replace(/data:[\s\S]*/, ''))
    expect(log).toContain('DBS016')
    expect(log).toMatch(proposal)
    expect(await write(pasted(renamed(before)).replace(/data:[\s\S]*/, ''))).toContain('DBS013')
    const answer = await (await cms.fetch(path)).json()
    expect(answer).toMatchObject({ data: [{ id: 5, attributes: expected }] })
    await cms.close()
  })
})

test('what was written under the new name since is kept: then nothing is renamed', async () => {
  const { cms, write } = await opened()
  const renamed = before.replace('title: {', 'headline: {').replace(/data:[\s\S]*/, '')
  await write(renamed)
  await cms.entries('article').create({ headline: 'Two' })
  expect(await write(renamed.replace('headline: {', 'headline: { renamedFrom: title,'))).toContain('DBS014')
  expect(await cms.entries('article').findMany({ sort: 'id' })).toMatchObject([
    { headline: null },
    { headline: 'Two' },
  ])
  await cms.close()
})

test.each([
  ['another type', (text: string) => text.replace('words: integer', 'count: string')],
  [
    'another content-type',
    (text: string) =>
      text.replace('words: integer', '').replace('name: string', 'name: string, words: integer'),
  ],
  ['nothing new', (text: string) => text.replace('      words: integer\n', '')],
  [
    'two that may be meant',
    (text: string) => text.replace('words: integer', 'lines: integer\n      pages: integer'),
  ],
])('%s is no rename', async (_what, edit) => {
  const { cms, write } = await opened()
  const log = await write(edit(before).replace(/data:[\s\S]*/, ''))
  expect(log).not.toContain('DBS016')
  await cms.close()
})

test('among several, the name decides', async () => {
  const { cms, write } = await opened()
  const log = await write(
    before.replace('words: integer', 'pages: integer\n      word: integer').replace(/data:[\s\S]*/, ''),
  )
  expect(log).toMatch(/"renamedFrom: words" under "word"/)
  await cms.close()
})
