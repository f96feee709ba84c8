// What a page or a comment refers to is there: links with their headings, paths of files, decisions.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

function filesOf(folder: string, ending: RegExp): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name).replaceAll('\\', '/'))
    .filter((name) => ending.test(name) && !name.includes('generated/') && !name.includes('node_modules/'))
}

function read(name: string): string {
  return readFileSync(join(root, name), 'utf8')
}

const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...filesOf('docs', /\.md$/),
  ...filesOf('src', /\.md$/),
  ...filesOf('examples', /\.md$/),
]
const sources = ['src', 'test', 'tools'].flatMap((folder) => filesOf(folder, /\.(ts|js|case)$/))
const decisions = new Set(
  readdirSync(join(root, 'docs/explanation/decisions')).map((name) => name.slice(0, 4)),
)

/** As GitHub makes the names of headings. */
function anchorsOf(page: string): ReadonlySet<string> {
  return new Set(
    [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

test.each(pages)('%s: its links lead somewhere', (page) => {
  const text = read(page).replace(/^```[\s\S]*?^```/gm, '')
  const broken = [...text.matchAll(/\]\((?!https?:|mailto:)([^)\s#]*)(?:#([^)\s]+))?\)/g)].flatMap(
    ([, path = '', anchor]) => {
      const target = path === '' ? join(root, page) : resolve(root, dirname(page), path)
      if (!existsSync(target)) return [path]
      if (anchor === undefined || !target.endsWith('.md')) return []
      return anchorsOf(target.slice(root.length + 1)).has(anchor) ? [] : [`${path}#${anchor}`]
    },
  )
  expect(broken).toEqual([])
})

/** Comments of a source, and every line of a page. */
function proseOf(name: string): string {
  const text = read(name)
  return name.endsWith('.md') ? text : (text.match(/^\s*(?:\/\/|\/\*\*|\*|#).*$/gm) ?? []).join('\n')
}

/** Files of a Strapi project, not of this one. */
const OF_STRAPI: ReadonlySet<string> = new Set(['src/index.js'])

describe('what is cited is there', () => {
  const all = [...pages, ...sources].map((name) => [name, proseOf(name)] as const)

  test('decisions', () => {
    const missing = all.flatMap(([name, prose]) =>
      [...prose.matchAll(/\bdecisions? (\d{4})\b/g)]
        .filter(([, number = '']) => !decisions.has(number))
        .map(([cited]) => `${name}: ${cited}`),
    )
    expect(missing).toEqual([])
  })

  test('files', () => {
    const missing = all
      // What was is told there, too.
      .filter(([name]) => name !== 'CHANGELOG.md' && !name.startsWith('docs/explanation/'))
      .flatMap(([name, prose]) =>
        [...prose.matchAll(/(?<![\w./-])(?:docs|src|test|bench|scripts)\/[\w./-]*\.(?:md|ts|js)\b/g)]
          .filter(([path]) => !OF_STRAPI.has(path) && !existsSync(join(root, path)))
          .map(([path]) => `${name}: ${path}`),
      )
    expect(missing).toEqual([])
  })

  test('no page that is not part of the project', () => {
    const cited = all.flatMap(([name, prose]) =>
      [...prose.matchAll(/\b(?:BEHAVIOUR|RELIABILITY|HOUSE|SPECIFICATION)(?:\.md)?\b|\bspec \d/g)].map(
        ([found]) => `${name}: ${found}`,
      ),
    )
    expect(cited.filter((each) => !each.startsWith('test/docs/links.test.ts'))).toEqual([])
  })
})
