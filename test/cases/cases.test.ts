// `cms-run test` and `testCases`: the file of cases that docs/reference/testing.md shows, ones that fail, and files with mistakes.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { testCases } from '../../src/index.ts'
import { getDiff } from '../../src/testing/cases/diff-body.ts'
import { matches } from '../../src/testing/cases/match-body.ts'
import { newFolder } from '../archive/in-file.ts'
import { blocksOf } from '../support/doc-page.ts'
import { runCommand, startCommand } from '../support/run-command.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/reference/testing.md'), 'utf8')
const yaml = blocksOf(page).flatMap(({ language, text }) => (language === 'yaml' ? [text] : []))
const config = yaml[0] ?? ''
const shown = yaml.find((text) => text.includes('cases:')) ?? ''

function folderWith(cases: string): string {
  const folder = newFolder()
  writeFileSync(join(folder, 'cms.yaml'), config)
  writeFileSync(join(folder, 'cases.yaml'), cases)
  return folder
}

test('the page: all pass, with a report for a build server', async () => {
  const cwd = folderWith(shown)
  const { code, out, err } = await runCommand(['test', '--out', 'junit.xml'], { cwd })
  expect({ code, err, out: out.replaceAll(/\d+ ms/g, '… ms') }).toEqual({
    code: 0,
    err: '',
    out: 'ok    a visitor reads (… ms)\nok    whoever is logged in writes (… ms)\n2 of 2 cases passed\n',
  })
  expect(readFileSync(join(cwd, 'junit.xml'), 'utf8')).toContain('tests="2" failures="0"')
})

describe('what fails', () => {
  const failing = `cases:
  a list:
    - get: /api/articles
      body: { data: [{ attributes: { title: Bye & <bye> } }], meta: { pagination: { total: <text> } } }
  a status:
    - { get: /api/articles/77, expect: 200 }
  a name:
    - { get: /api/articles, as: nobody }
`
  test('is reported at its place in the file', async () => {
    const folder = folderWith(failing)
    const { code, out } = await runCommand(['test', 'cases.yaml', '--out', 'junit.xml'], { cwd: folder })
    expect(code).toBe(1)
    expect(out).toContain(
      'data[0].attributes.title is "Hello", not "Bye & <bye>", and 1 more\n  --> cases.yaml:4:',
    )
    // The rest of the body stands in the same answer, as it would be written.
    expect(out).toContain(`
  expected: -, answered: +
    data:
      - attributes:
  -       title: Bye & <bye>
  +       title: Hello
    meta:
      pagination:
  -     total: <text>
  +     total: 1
`)
    expect(out).toContain(
      'GET /api/articles/77 is answered with 404, not 200: Not Found\n  --> cases.yaml:6:',
    )
    expect(out).toContain('there is no user with this name')
    expect(out).toContain('0 of 3 cases passed')
    expect(readFileSync(join(folder, 'junit.xml'), 'utf8')).toContain('Bye &amp; &lt;bye&gt;')
    const json = await runCommand(['test', 'cases.yaml', '--json'], { cwd: folder })
    expect(JSON.parse(json.out)).toMatchObject({ cases: [{ passed: false }, {}, {}] })
  })

  test('mistakes in the file are reported, all of them', async () => {
    const folder = folderWith(
      'cases:\n  one:\n    - { gte: /api/articles }\n    - { get: articles, expect: ok }\n    - { advance: soon }\n  two: 3\n',
    )
    const { code, err } = await runCommand(['test'], { cwd: folder })
    expect(code).toBe(1)
    for (const part of [
      'did you mean "get"?',
      'a path begins with "/"',
      '"expect" is a status',
      'like 3d',
      'a case is a list',
    ])
      expect(err).toContain(part)
    expect((await runCommand(['test', 'none.yaml'], { cwd: folder })).err).toContain('TST001')
    writeFileSync(join(folder, 'cms.yaml'), 'contentTypes: 3\n')
    writeFileSync(join(folder, 'cases.yaml'), 'cases: {}\n')
    expect((await runCommand(['test'], { cwd: folder })).err).toContain('cms.yaml:1:15')
  })
})

test('--watch runs them again after each edit, of the cases and of the file', async () => {
  const cwd = folderWith(shown)
  const { printed, ready, stop } = startCommand(['test', '--watch'], { cwd })
  const until = (what: () => void): Promise<void> => vi.waitFor(what, { timeout: 60_000 })
  await until(() => expect(printed.out).toContain('2 of 2 cases passed'))
  await ready()
  writeFileSync(join(cwd, 'cms.yaml'), config.replace('title: Hello', 'title: Good day'))
  await until(() => expect(printed.out).toContain('1 of 2 cases passed'))
  expect(printed.out).toContain('-       title: Hello\n')
  writeFileSync(join(cwd, 'cases.yaml'), 'case: {}\n')
  await until(() => expect(printed.err).toContain('did you mean "cases"?'))
  writeFileSync(join(cwd, 'cases.yaml'), shown.replace('title: Hello', 'title: Good day'))
  await until(() => expect(printed.out.match(/2 of 2 cases passed/g)).toHaveLength(2))
  expect((await stop()).code).toBe(0)
})

describe('a difference', () => {
  const textOf = (expected: unknown, found: unknown): string =>
    getDiff(expected, found)
      .map(({ mark, text }) => `${mark} ${text}\n`)
      .join('')

  test.each([
    ['of a value', { a: 1, b: { c: [true] } }, { a: 2, b: { c: [true] }, d: 1 }, '- a: 1\n+ a: 2\n  b: …\n'],
    [
      'of what looks alike is not hidden by how it is written',
      { a: 'true', b: '1', c: ' ' },
      { a: true, b: 1, c: null },
      '- a: "true"\n+ a: true\n- b: "1"\n+ b: 1\n- c: " "\n+ c: null\n',
    ],
    [
      'of a list with one member more in front: only that one',
      { data: [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }] },
      { data: [{ id: 9, name: 'new' }, { id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }] },
      '  data:\n+   - id: 9\n+     name: new\n    - …\n    - …\n    … 2 more alike\n',
    ],
    [
      'of a member of a list',
      [{ id: 1, name: 'a' }, { id: 2 }],
      [{ id: 1, name: 'b' }, { id: 2 }],
      '  - id: 1\n-   name: a\n+   name: b\n  - …\n',
    ],
    ['of one that is missing', { a: { b: 1 } }, { a: {} }, '  a:\n-   b: 1\n'],
    ['of kinds', { a: [1] }, { a: {} }, '- a:\n-   - 1\n+ a: {}\n'],
  ])('%s', (_name, expected, found, text) => expect(textOf(expected, found)).toBe(text))

  test('is empty of signs only when the body matches, and never longer than it helps', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 3 }), (expected, found) => {
        const lines = getDiff(expected, found)
        expect(lines.every(({ mark }) => mark === ' ')).toBe(matches(expected, found))
        expect(lines.length).toBeLessThanOrEqual(61)
      }),
    )
  })
})

test('a runner gets a test for each case', async () => {
  const tests = new Map<string, () => Promise<void>>()
  let end = async (): Promise<void> => {}
  const runner = {
    test: (name: string, run: () => Promise<void>) => tests.set(name, run),
    afterAll: (run: () => Promise<void>) => {
      end = run
    },
  }
  testCases(
    join(folderWith(`${shown}  wrong:\n    - { get: /api/articles, expect: 404 }\n`), 'cases.yaml'),
    runner,
    { env: {} },
  )
  expect([...tests.keys()]).toEqual(['a visitor reads', 'whoever is logged in writes', 'wrong'])
  await tests.get('a visitor reads')?.()
  await expect(tests.get('wrong')?.()).rejects.toThrow('is answered with 200, not 404')
  await end()
  const broken = join(folderWith('cases: [1]\n'), 'cases.yaml')
  expect(() => testCases(broken, runner)).toThrow('TST002')
})
