// Users' files: every kind runs as it stands, afresh each time; what cannot be run is said at the entry that names it.

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { parse } from 'graphql'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadConfig } from '../../../src/config/load-config.ts'
import { loadUserCode } from '../../../src/user-code/load-user-code.ts'
import { createUserModules, getProcessCode, type UserModules } from '../../../src/user-code/user-modules.ts'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'cms-user-code-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
}

async function load(policies: Readonly<Record<string, string>>, modules?: UserModules) {
  const object = { contentTypes: { note: { attributes: { text: 'string' } } }, policies }
  const { config, diagnostics } = await loadConfig({ object, directory }, { env: {} })
  if (config === undefined) throw new Error(JSON.stringify(diagnostics))
  return loadUserCode(config, [], modules && { modules })
}

describe('runs', () => {
  test.each([
    ['a.ts', 'const text: string = "x"; export default (): string => text', './a.ts'],
    ['a.mts', 'export default () => "x"', './a.mts'],
    ['a.js', 'export const named = () => "x"', './a.js#named'],
    ['a.mjs', 'const wait = await Promise.resolve("x"); export default () => wait', './a.mjs'],
    ['a.cjs', 'module.exports = () => "x"', './a.cjs'],
    ['a.cjs', 'exports.named = () => "x"', './a.cjs#named'],
    ['a.js', 'module.exports = { named: () => "x" }', './a.js#named'],
    ['a.ts', 'enum Kind { X = "x" }\nexport default () => Kind.X', './a.ts'],
    ['a.ts', '#!/usr/bin/env node\nexport default () => "x"', './a.ts'],
    ['a.ts', 'import { basename } from "path"\nexport default () => basename("/a/x")', './a.ts'],
  ])('%s: %s', async (name, text, reference) => {
    write({ [name]: text })
    const code = await load({ one: reference })
    expect(code.diagnostics).toEqual([])
    expect((code.exported(reference) as () => string)()).toBe('x')
  })

  test('a file that imports others, and knows where it stands', async () => {
    write({
      'a.ts':
        'import { b } from "./b"\nimport json from "./c.json"\nexport default () => [b, json.c, import.meta.url, __dirname]',
      'b.ts': 'export const b: number = 1',
      'c.json': '{"c":2}',
    })
    const code = await load({ one: './a.ts' })
    const [b, c, url, folder] = (code.exported('./a.ts') as () => unknown[])()
    expect([b, c]).toEqual([1, 2])
    expect(String(url)).toBe(`file://${join(directory, 'a.ts')}`)
    expect(folder).toBe(directory)
    expect(code.files.map((file) => relative(directory, file)).sort()).toEqual(['a.ts', 'b.ts', 'c.json'])
  })

  test('with the server’s own graphql', async () => {
    write({ 'a.ts': 'import { parse } from "graphql"\nexport default parse' })
    const code = await load({ one: './a.ts' })
    expect(code.exported('./a.ts')).toBe(parse)
  })

  test('several references to one file run it once', async () => {
    write({ 'a.ts': 'let count = 0\ncount++\nexport const a = () => count\nexport const b = () => count' })
    const code = await load({ one: './a.ts#a', two: './a.ts#b' })
    expect((code.exported('./a.ts#a') as () => number)()).toBe(1)
    expect((code.exported('./a.ts#b') as () => number)()).toBe(1)
  })

  test('what an edit of an imported file made of it', async () => {
    write({ 'a.ts': 'import { b } from "./b.ts"\nexport default () => b', 'b.ts': 'export const b = 1' })
    const before = await load({ one: './a.ts' })
    write({ 'b.ts': 'export const b = 2' })
    const after = await load({ one: './a.ts' })
    expect((before.exported('./a.ts') as () => number)()).toBe(1)
    expect((after.exported('./a.ts') as () => number)()).toBe(2)
    expect(after.hash).not.toBe(before.hash)
  })
})

test('the stack of an error names the user’s own file and line', async () => {
  write({
    'a.ts': 'interface A {\n  x: number\n}\n\nexport default (): A => {\n  throw new Error("no")\n}',
  })
  const run = (await load({ one: './a.ts' })).exported('./a.ts') as () => never
  let stack = ''
  try {
    run()
  } catch (error) {
    stack = (error as Error).stack ?? ''
  }
  expect(stack).toContain(`${join(directory, 'a.ts')}:6:9`)
})

describe('a top level that does not come to its end is an error of its file', () => {
  test.each([
    ['an endless loop', 'for (;;) {}', 'loading "a.ts" was not done after 1.5 seconds'],
    [
      'what waits for ever',
      'await new Promise(() => setInterval(() => {}, 1000))',
      'loading "a.ts" was not done after 1.5 seconds',
    ],
    [
      'a promise that is never settled',
      'await new Promise(() => {})',
      'loading "a.ts" was not done after 1.5',
    ],
    ['the end of the process', 'process.exit(3)', 'loading "a.ts" ends the process'],
    [
      'memory without end',
      'const all = []\nfor (;;) all.push(new Array(10_000).fill(all.length))',
      'loading "a.ts" needs more than 64 MB of memory',
    ],
  ])('%s', async (name, text, message) => {
    write({ 'a.ts': `${text}\nexport default 1`, 'b.ts': 'export default () => "x"' })
    const modules = createUserModules({ longest: name.startsWith('memory') ? 60_000 : 1500, heap: 64 })
    const code = await load({ zero: './b.ts', one: './a.ts' }, modules)
    expect(code.diagnostics).toMatchObject([
      {
        code: 'USR002',
        severity: 'error',
        path: ['policies', 'one'],
        message: expect.stringContaining(message),
      },
    ])
    expect((await load({ zero: './b.ts' }, modules)).diagnostics).toEqual([])
  })
})

describe('code that has not changed', () => {
  const counting = (name: string): string =>
    `globalThis.${name} = (globalThis.${name} ?? 0) + 1\nexport const a = () => globalThis.${name}\nexport const b = a`
  const runs = (code: { exported(reference: string): unknown }, reference: string): unknown =>
    (code.exported(reference) as () => unknown)()

  test('is kept when it is live, and when it was not taken', async () => {
    write({ 'a.ts': counting('runsOfKept'), 'b.ts': 'export default 1' })
    const modules = createUserModules()
    const first = await load({ one: './a.ts#a', two: './b.ts' }, modules)
    first.adopt()
    // In another order, by another name.
    const second = await load({ two: './b.ts', three: './a.ts#b' }, modules)
    expect(runs(second, './a.ts#b')).toBe(1)
    write({ 'b.ts': 'export default 2' })
    for (const _ of [1, 2, 3]) {
      const third = await load({ one: './a.ts#a', two: './b.ts' }, modules)
      expect([runs(third, './a.ts#a'), third.exported('./b.ts')]).toEqual([2, 2])
    }
    write({ 'b.ts': 'export default 1' })
    expect(runs(await load({ one: './a.ts#a', two: './b.ts' }, modules), './a.ts#a')).toBe(2)
  })

  test('is run again when it failed', async () => {
    write({
      'a.ts': `${counting('runsOfFailed')}\nif (globalThis.runsOfFailed < 2) throw new Error("not yet")`,
    })
    const modules = createUserModules()
    const [first, second] = [
      await load({ one: './a.ts#a' }, modules),
      await load({ one: './a.ts#a' }, modules),
    ]
    expect([first.diagnostics.length, second.diagnostics.length]).toEqual([1, 0])
  })

  test('belongs to one server: another one has its own', async () => {
    write({ 'a.ts': counting('runsOfTwo') })
    expect(runs(await load({ one: './a.ts#a' }), './a.ts#a')).toBe(1)
    expect(runs(await load({ one: './a.ts#a' }), './a.ts#a')).toBe(2)
  })
})

test('changed code that adds up is warned of, then refused; what is live stays', async () => {
  const text = (size: number): string =>
    `export const long = "${'x'.repeat(size)}"\nexport default () => long.length`
  write({ 'a.ts': text(10) })
  const one = { one: './a.ts' }
  const before = createUserModules()
  await load(one, before)
  const { bytes } = getProcessCode()
  const modules = createUserModules({ much: bytes + 150_000, most: bytes + 250_000 })
  const codes: string[][] = []
  for (const size of [100_000, 100_001, 100_002]) {
    write({ 'a.ts': text(size) })
    const code = await load(one, modules)
    codes.push(code.diagnostics.map((diagnostic) => `${diagnostic.severity} ${diagnostic.code}`))
  }
  expect(codes).toEqual([[], ['warning USR015'], ['error USR015']])
  write({ 'a.ts': text(100_001) })
  expect((await load(one, modules)).diagnostics).toEqual([])
})

describe('what is no file is never waited for', () => {
  test.each([
    ['the file itself', './pipe.ts', 'USR001', 'cannot read "./pipe.ts": it is not a regular file'],
    ['a directory', './folder.ts', 'USR001', 'cannot read "./folder.ts": it is a directory'],
    ['a link to nothing', './nowhere.ts', 'USR001', 'there is no file "./nowhere.ts"'],
    [
      'an imported file',
      './a.ts',
      'USR002',
      /^this code cannot be loaded: a\.ts:1:8: cannot read "pipe\.ts": it is not/,
    ],
    [
      'imported data',
      './b.ts',
      'USR002',
      /^this code cannot be loaded: b\.ts:1:18: cannot read "pipe\.json": it is not/,
    ],
  ])('%s', async (_name, reference, code, message) => {
    write({
      'a.ts': 'import "./pipe.ts"\nexport default 1',
      'b.ts': 'import pipe from "./pipe.json"\nexport default pipe',
    })
    for (const name of ['pipe.ts', 'pipe.json']) execFileSync('mkfifo', [join(directory, name)])
    mkdirSync(join(directory, 'folder.ts'))
    symlinkSync(join(directory, 'nothing'), join(directory, 'nowhere.ts'))
    const { diagnostics } = await load({ one: reference })
    const expected = typeof message === 'string' ? message : expect.stringMatching(message)
    expect(diagnostics).toMatchObject([{ code, path: ['policies', 'one'], message: expected }])
  })
})

describe('is said at its entry', () => {
  test.each([
    ['a file that is not there', './nope.ts', {}, 'USR001', 'there is no file "./nope.ts"', undefined],
    [
      'an export that is not there',
      './a.ts#isOwner',
      { 'a.ts': 'export const isOwnr = 1' },
      'USR003',
      'this file exports no "isOwner"',
      'did you mean "#isOwnr"?',
    ],
    [
      'no default export',
      './a.ts',
      { 'a.ts': 'export const a = 1' },
      'USR003',
      'this file has no default export',
      'it exports a: name one behind a "#"',
    ],
    [
      'what does not parse',
      './a.ts',
      { 'a.ts': 'export default (' },
      'USR002',
      'this code cannot be loaded: a.ts:1:17: Unexpected end of file',
      undefined,
    ],
    [
      'what does not parse in a file that it imports',
      './a.ts',
      { 'a.ts': 'import "./b.ts"\nexport default 1', 'b.ts': '\nconst x: = 1' },
      'USR002',
      'this code cannot be loaded: b.ts:2:10: Unexpected "="',
      undefined,
    ],
    [
      'what throws',
      './a.ts',
      {
        'a.ts': 'import { b } from "./b.ts"\n\nb()\nexport default 1',
        'b.ts': 'type A = 1\nexport function b() {\n  throw new TypeError("no")\n}',
      },
      'USR002',
      'this code failed when it was loaded: TypeError: no',
      'at b.ts:3:9, called from a.ts:3:1',
    ],
    [
      'a package that is not there',
      './a.ts',
      { 'a.ts': 'import "no-such-package"\nexport default 1' },
      'USR002',
      'this code cannot be loaded: a.ts:1:8: Could not resolve "no-such-package"',
      undefined,
    ],
  ])('%s', async (_name, reference, files, code, message, help) => {
    write(files as Record<string, string>)
    const { diagnostics } = await load({ one: reference })
    expect(diagnostics).toMatchObject([
      {
        code,
        severity: 'error',
        path: ['policies', 'one'],
        message,
        ...(help === undefined ? {} : { help }),
      },
    ])
  })
})

test('the hash is of the content that runs, also when the file changes while it is read', async () => {
  const modules = createUserModules()
  // Replaced whole: a file that is written in place is empty for a moment.
  const content = (answer: number): void => {
    write({ 'b.ts': `export default () => ${answer}` })
    renameSync(join(directory, 'b.ts'), join(directory, 'a.ts'))
  }
  const hashes: string[] = []
  for (const answer of [0, 1]) {
    content(answer)
    hashes[answer] = (await load({ one: './a.ts' }, modules)).hash
  }
  let answer = 0
  const writer = setInterval(() => {
    answer = 1 - answer
    content(answer)
  })
  try {
    for (let round = 0; round < 60; round += 1) {
      const { hash, exported, diagnostics } = await load({ one: './a.ts' }, modules)
      expect(diagnostics).toEqual([])
      expect(hash).toBe(hashes[(exported('./a.ts') as () => number)()])
    }
  } finally {
    clearInterval(writer)
  }
})
