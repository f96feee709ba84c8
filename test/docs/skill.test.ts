// The skill for agents: its file is right, its cases pass, and each mistake of its table gives the code beside it.

import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { inFile, newFolder } from '../archive/in-file.ts'
import { blocksOf } from '../support/doc-page.ts'
import { runCommand } from '../support/run-command.ts'

const page = readFileSync(join(import.meta.dirname, '../../skills/cms-run/SKILL.md'), 'utf8')
const blocks = blocksOf(page)

function textOf(name: string): string {
  const found = blocks.find(({ text }) => text.startsWith(`# ${name}\n`))
  if (found === undefined) throw new Error(`no block of ${name}`)
  return found.text
}

async function codesOf(text: string): Promise<readonly string[]> {
  const file = inFile(text)
  const { out } = await runCommand(['validate', file, '--json'], { cwd: dirname(file) })
  const { diagnostics } = JSON.parse(out) as { diagnostics: { code: string; severity: string }[] }
  return diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code)
}

test('the front matter names it, in few enough characters', () => {
  const [, name, description = ''] = /^---\nname: ([\w-]+)\ndescription: (.+)\n---\n/.exec(page) ?? []
  expect(name).toBe('cms-run')
  expect(description.length).toBeLessThan(1024)
})

test('its file is right, starts, and its cases pass', async () => {
  expect(blocks.filter(({ language }) => language === 'yaml')).toHaveLength(2)
  const cwd = newFolder()
  writeFileSync(join(cwd, 'cms.yaml'), textOf('cms.yaml'))
  writeFileSync(join(cwd, 'cases.yaml'), textOf('cases.yaml'))
  const { out: secrets } = await runCommand(['secrets'], { cwd })
  writeFileSync(join(cwd, '.env'), `${secrets}SITE_TOKEN=only-for-tests-0123456789\n`)
  const validated = await runCommand(['validate', join(cwd, 'cms.yaml'), '--json'], { cwd })
  expect(JSON.parse(validated.out)).toMatchObject({ ok: true, diagnostics: [] })
  const tested = await runCommand(['test', join(cwd, 'cases.yaml'), '--json'], { cwd })
  expect(JSON.parse(tested.out)).toMatchObject({
    ok: true,
    cases: [{ passed: true }, { passed: true }, { passed: true }],
    diagnostics: [],
  })
  const explain = ['permissions', join(cwd, 'cms.yaml'), '--as', 'user:bob', '--explain', 'comment.update']
  expect((await runCommand(explain, { cwd })).out).toContain('writer == me')
})

test('its types are types', async () => {
  const [, names = ''] = /^Types: `([^`]+)`/m.exec(page) ?? []
  const words = names.split(/\s+/)
  expect(words.length).toBeGreaterThan(20)
  const attributes = words.map((word, index) => `a${index}: ${word}`)
  expect(await codesOf(`contentTypes: { note: { title: string, ${attributes.join(', ')} } }\n`)).toEqual([])
})

const rows = [...page.matchAll(/^\| `(.+?)` \| ([A-Z]+\d+) \| `(.+?)`(?: \([^|]*\))? \|$/gm)].map(
  ([, wrong = '', code = '', right = '']) => [code, wrong, right] as const,
)

test('there are mistakes', () => {
  expect(rows.length).toBeGreaterThan(10)
})

test.each(rows)('%s: %s', async (code, wrong, right) => {
  const inside = (text: string): string =>
    text.startsWith('contentTypes')
      ? `${text}\n`
      : `contentTypes: { note: { text: string!, done: boolean, owner: user } }\n${text}\n`
  expect(await codesOf(inside(wrong))).toEqual([code])
  expect(await codesOf(inside(right))).toEqual([])
})
