// `cms-run types`: what it prints is checked by the compiler that its readers use, against right and wrong programs.

import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { inFile } from '../archive/in-file.ts'
import { runCommand } from '../support/run-command.ts'

const root = join(import.meta.dirname, '../..')

const config = `
components:
  shared.seo: { attributes: { metaTitle: { type: string, required: true }, image: { type: media, multiple: false } } }
contentTypes:
  tag: { attributes: { name: string } }
  article:
    info: { description: "What is read */ here" }
    options: { draftAndPublish: true }
    attributes:
      title: { type: string, required: true }
      secret: password
      internal: { type: string, private: true }
      rank: integer
      big: biginteger
      mood: { type: enumeration, enum: [good, bad] }
      extra: json
      tags: { type: relation, relation: manyToMany, target: api::tag.tag }
      seo: { type: component, component: shared.seo }
      zone: { type: dynamiczone, components: [shared.seo] }
      cover: { type: media, multiple: true }
`

const program = `
import { type Cms, createCms } from 'cms-run'
import type { Article, ArticleInput } from './content.js'
declare const cms: Cms
const input: ArticleInput = { title: 'a', secret: 'x', mood: 'good', tags: [1], seo: { metaTitle: 'm' }, zone: [{ __component: 'shared.seo', metaTitle: 'z' }], cover: { connect: [{ id: 1 }] }, big: '1', publishedAt: null }
const article: Article = await cms.entries('article').create(input)
const title: string | null = article.title
const mood: 'good' | 'bad' | null = article.mood
const tag: string | null | undefined = (await cms.entries('api::article.article').findOne(1))?.tags?.[0]?.name
const zone: 'shared.seo' | undefined = article.zone?.[0]?.__component
const size: number | null | undefined = article.cover?.[0]?.size
const whatever: number = (await cms.entries('something' as string).findMany())[0]!.id
export { createCms, mood, size, tag, title, whatever, zone }
`

/** What the compiler says of each program. */
function faults(folder: string, programs: readonly string[]): readonly string[] {
  for (const [index, text] of programs.entries()) writeFileSync(join(folder, `program${index}.ts`), text)
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    target: 'es2022',
    module: 'nodenext',
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    lib: ['es2023', 'esnext.disposable', 'dom', 'dom.iterable'],
    paths: { 'cms-run': [join(root, 'src/index.ts')] },
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder, '--pretty', 'false'], {
    encoding: 'utf8',
    cwd: folder,
  })
  return programs.map((_, index) =>
    stdout
      .split('\n')
      .filter((line) => line.startsWith(`program${index}.ts`))
      .join('\n'),
  )
}

test('declarations that a program can be checked against', async () => {
  const file = inFile(config)
  const folder = dirname(file)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const { code, out, err } = await runCommand(['types', file], { cwd: folder })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  writeFileSync(join(folder, 'content.d.ts'), out)
  const wrong = [
    [
      "mood: 'good'",
      "mood: 'so so'",
      /not assignable to type '"bad" \| "good"|not assignable to type '"good" \| "bad"/,
    ],
    ['article.title\n', 'article.secret\n', /'secret' does not exist/],
    ['article.title\n', 'article.internal\n', /'internal' does not exist/],
    ["title: 'a'", 'title: 7', /Type 'number' is not assignable to type 'string'/],
    ["'shared.seo', metaTitle", "'shared.sea', metaTitle", /not assignable/],
  ] as const
  for (const [text] of wrong) expect(program).toContain(text)
  const programs = [program, ...wrong.map(([right, other]) => program.replace(right, other))]
  const [none, ...found] = faults(folder, programs)
  expect(none).toBe('')
  for (const [index, [, , message]] of wrong.entries()) expect(found[index]).toMatch(message)
})

test('a configuration that is wrong has no types', async () => {
  const file = inFile(config.replace('rank: integer', 'rank: intiger'))
  expect(await runCommand(['types', file], { cwd: '.' })).toMatchObject({ code: 1, out: '' })
})
