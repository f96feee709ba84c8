import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')

/** Codes such as CFG012, wherever a source file writes one. */
function codesInSources(): Set<string> {
  const codes = new Set<string>()
  for (const name of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue
    const text = readFileSync(join(root, 'src', name), 'utf8')
    for (const [, code = ''] of text.matchAll(/'((?:CFG|CLI|MOD|PLG|DBS|RUL|VER|SEED|USR|TST)\d{3})'/g))
      codes.add(code)
  }
  return codes
}

const documented = [
  ...readFileSync(join(root, 'docs/reference/errors.md'), 'utf8').matchAll(/^### ([A-Z]{3,4}\d{3})$/gm),
].map(([, code = '']) => code)

test('every code has a paragraph', () => {
  expect([...codesInSources()].filter((code) => !documented.includes(code))).toEqual([])
})

test('every paragraph has a code, or says that it is retired', () => {
  const used = codesInSources()
  const docs = readFileSync(join(root, 'docs/reference/errors.md'), 'utf8')
  const unused = documented.filter((code) => !used.has(code))
  expect(unused.filter((code) => !new RegExp(`### ${code}\\n+Retired`).test(docs))).toEqual([])
})

test('no code stands twice', () => {
  expect(documented).toEqual([...new Set(documented)])
})
