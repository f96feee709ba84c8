// What the console shows of a content-type, with and without the words of the file.

import { describe, expect, test } from 'vitest'
import type { AttributeConfig, LookConfig } from '../../../src/config/config.ts'
import { buildLook, formatLabel } from '../../../src/console/type-look.ts'
import { buildModel } from '../../../src/model/build-model.ts'
import { configOf } from '../model/config-of.ts'

const string = { type: 'string' }
const attributes: Readonly<Record<string, AttributeConfig>> = {
  slug: { type: 'uid' },
  code: string,
  title: string,
  body: { type: 'richtext' },
  notes: { type: 'string', private: true },
  author: { type: 'relation', relation: 'oneToOne', target: 'api::author.author' },
  tags: { type: 'relation', relation: 'oneToMany', target: 'api::author.author' },
  due: { type: 'date' },
}
const names = Object.keys(attributes)

function look(said: LookConfig | undefined, of: Readonly<Record<string, AttributeConfig>> = attributes) {
  const built = buildModel(
    configOf({ contentTypes: { article: { attributes: of }, author: { attributes: { name: string } } } }),
    { contributions: [], checks: [] },
  )
  const type = built.ok ? built.value.contentTypes.get('api::article.article') : undefined
  if (type === undefined) throw new Error(JSON.stringify(built))
  return buildLook(type, said)
}

const standard = {
  title: 'title',
  list: ['title', 'author', 'due', 'code'],
  groups: [{ label: '', fields: names }],
  preview: undefined,
}

describe('with the words of the file', () => {
  const content = { label: 'Content', fields: ['body', 'title'] }
  const rest = names.filter((name) => !content.fields.includes(name))
  const rows: readonly [what: string, said: LookConfig | undefined, shown: object][] = [
    ['none', undefined, {}],
    ['an empty map', {}, {}],
    [
      'a title, which is a column, too',
      { title: 'code' },
      { title: 'code', list: ['code', 'author', 'due', 'title'] },
    ],
    [
      'a number or a date as the title',
      { title: 'due' },
      { title: 'due', list: ['due', 'author', 'code', 'title'] },
    ],
    ['columns', { list: ['publishedAt', 'title', 'body'] }, { list: ['publishedAt', 'title', 'body'] }],
    ['groups, then what is left', { groups: [content] }, { groups: [content, { label: '', fields: rest }] }],
    [
      'groups without a label',
      { groups: [{ fields: ['slug'] }, { label: 'All', fields: names.slice(1) }] },
      {
        groups: [
          { label: '', fields: ['slug'] },
          { label: 'All', fields: names.slice(1) },
        ],
      },
    ],
    ['an address', { preview: 'https://x.example/{slug}' }, { preview: 'https://x.example/{slug}' }],
  ]
  test.each(rows)('%s', (_what, said, shown) => {
    expect(look(said)).toEqual({ ...standard, ...shown })
  })
})

test.each([
  ['a name before other texts', { a: string, name: string }, 'name', ['name', 'a']],
  ['the first text', { a: { type: 'text' }, b: string }, 'b', ['b']],
  ['no text', { n: { type: 'integer' } }, undefined, ['n']],
  ['nothing to see', { a: { type: 'string', private: true } }, undefined, []],
])('without them: %s', (_what, of, title, list) => {
  expect(look(undefined, of)).toMatchObject({ title, list })
})

test.each([
  ['title', 'Title'],
  ['publishedAt', 'Published at'],
  ['meta_title', 'Meta title'],
  ['imageURL', 'Image URL'],
])('%s is %s', (name, label) => {
  expect(formatLabel(name)).toBe(label)
})
