// `cms-run migrate --to strapi-5`: the file keeps every character that is not about the dialect.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../archive/in-file.ts'
import { runCommand } from '../support/run-command.ts'

const before = `# The site of a café.
contentTypes:   # what there is
  article:
    localized: true
    drafts: true
    attributes: { title: 'string!',   author: {type: relation, target: author} }
  author: { attributes: { name: string } }

plugins:
  i18n: { config: { locales: [en, fr] } }
auth:
  roles:
    public:
      permissions: [article.find, article.createLocalization, article.findOne]
    editor:
      permissions:
        - article.update
        - article.createLocalization # in French
        - article.create
    guest:
      permissions:
        - article.createLocalization
`

async function migrated(text: string, name = 'cms.yaml') {
  const cwd = newFolder()
  const file = join(cwd, name)
  writeFileSync(file, text)
  const outcome = await runCommand(['migrate', file, '--to', 'strapi-5', '--json'], { cwd })
  return { ...outcome, cwd, file, text: readFileSync(file, 'utf8'), files: readdirSync(cwd) }
}

test('sets the dialect and takes out what it does not have; the rest stays as it was written', async () => {
  const { code, err, out, text, files } = await migrated(before)
  expect([code, err]).toEqual([0, ''])
  expect(text).toBe(
    before
      .replace('contentTypes:', 'dialect: strapi-5\ncontentTypes:')
      .replace(', article.createLocalization, ', ', ')
      .replace('        - article.createLocalization # in French\n', '')
      .replace('permissions:\n        - article.createLocalization\n', 'permissions:\n        []\n'),
  )
  const { changed, dropped, differences } = JSON.parse(out)
  expect({ changed, dropped }).toEqual({
    changed: true,
    dropped: Array(3).fill('article.createLocalization'),
  })
  const topics = differences.map(({ topic }: { topic: string }) => topic)
  expect(topics).toEqual(expect.arrayContaining(['entries', 'publishing', 'a new locale']))
  expect(topics).not.toContain('GraphQL lists')
  expect(files).toEqual(['cms.yaml'])
})

test('a dry run tells the same, and writes nothing', async () => {
  const cwd = newFolder()
  const file = join(cwd, 'cms.yaml')
  writeFileSync(file, before)
  const outcome = await runCommand(['migrate', file, '--to', 'strapi-5', '--dry-run'], { cwd })
  expect(outcome).toMatchObject({ code: 0, err: '' })
  expect(outcome.out).toContain(`${file} would say "dialect: strapi-5".`)
  expect(outcome.out).toContain('Front ends have to change:')
  expect(readFileSync(file, 'utf8')).toBe(before)
  expect(readdirSync(cwd)).toEqual(['cms.yaml'])
})

test('JSON stays JSON, and what is there already is said', async () => {
  const { code, text, cwd, file } = await migrated(
    '{\n  "contentTypes": { "tag": { "attributes": { "name": "string" } } }\n}\n',
    'cms.json',
  )
  expect(code).toBe(0)
  expect(text).toBe(
    '{\n  "dialect": "strapi-5",\n  "contentTypes": { "tag": { "attributes": { "name": "string" } } }\n}\n',
  )
  const again = await runCommand(['migrate', file, '--to', 'strapi-5'], { cwd })
  expect(again).toEqual({ code: 0, out: `${file} says "dialect: strapi-5" already\n`, err: '' })
})

test('what the other dialect refuses is reported, and the file is as it was', async () => {
  const wrong = 'contentTypes: { tag: { attributes: { documentId: string } } }\n'
  const { code, text, files } = await migrated(wrong)
  expect(text).toBe(wrong)
  expect(code).toBe(1)
  expect(files).toEqual(['cms.yaml'])
})
