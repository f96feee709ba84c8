// `init --agents`: a page that tells agents how to work on the file. What it says holds for the file beside it.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { parseArguments } from '../../src/cli/parse-arguments.ts'
import { newFolder } from '../archive/in-file.ts'
import { blocksOf } from '../support/doc-page.ts'
import { runCommand } from '../support/run-command.ts'

const read = (folder: string, name = 'AGENTS.md'): string => readFileSync(join(folder, name), 'utf8')

test('beside a new file, and its commands and cases pass', async () => {
  const cwd = newFolder()
  const { code, out, err } = await runCommand(['init', '--agents'], { cwd })
  expect([code, err]).toEqual([0, ''])
  expect(out).toBe(
    'cms.yaml is written; start it with: npx cms-run\nAGENTS.md is written; it tells agents how to check, plan and test cms.yaml\n',
  )
  const page = read(cwd)
  const blocks = blocksOf(page)
  writeFileSync(join(cwd, 'cases.yaml'), blocks.find(({ language }) => language === 'yaml')?.text ?? '')
  const commands = blocks
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => text.trim().split('\n'))
    .concat(/`npx (cms-run permissions [^`]+)`/.exec(page)?.[1] ?? [])
    .map((line) => line.replace(/^(?:npx )?cms-run /, '').split(' '))
  expect(commands).toHaveLength(6)
  for (const words of commands) {
    const there = words.map((word) => (word.endsWith('.yaml') ? join(cwd, word) : word))
    const ran = await runCommand(there, { cwd })
    expect([words, ran.code, ran.err]).toEqual([words, 0, ''])
  }
})

test('beside a file that is there already, which stays as it is, with --force, too', async () => {
  const cwd = newFolder()
  mkdirSync(join(cwd, 'site'))
  const file = join(cwd, 'site/content.yaml')
  writeFileSync(file, 'mine')
  const { code, out } = await runCommand(['init', file, '--agents', '--json'], { cwd })
  const agents = join(dirname(file), 'AGENTS.md')
  expect([code, JSON.parse(out)]).toEqual([0, { ok: true, file, agents, diagnostics: [] }])
  const page = read(dirname(file))
  expect(page).toContain('npx cms-run validate content.yaml --json')
  expect(page).toContain('config: content.yaml\n')
  expect(page).not.toContain('cms.yaml')

  writeFileSync(agents, 'my own')
  expect(await runCommand(['init', file, '--agents'], { cwd })).toEqual({
    code: 1,
    out: '',
    err: `cms-run: ${agents} is there already; --force replaces it\n`,
  })
  expect(read(dirname(file))).toBe('my own')
  expect((await runCommand(['init', file, '--agents', '--force'], { cwd })).code).toBe(0)
  expect(read(dirname(file))).toBe(page)
  expect(readFileSync(file, 'utf8')).toBe('mine')
})

test('a template is named: both files or neither', async () => {
  const cwd = newFolder()
  writeFileSync(join(cwd, 'cms.yaml'), 'mine')
  const refused = await runCommand(['init', '--agents', '--template', 'shop'], { cwd })
  expect(refused).toMatchObject({ code: 1, err: 'cms-run: cms.yaml is there already; --force replaces it\n' })
  expect(existsSync(join(cwd, 'AGENTS.md'))).toBe(false)
  const other = newFolder()
  writeFileSync(join(other, 'AGENTS.md'), 'mine')
  expect((await runCommand(['init', '--agents'], { cwd: other })).code).toBe(1)
  expect(existsSync(join(other, 'cms.yaml'))).toBe(false)
  expect((await runCommand(['init', '--agents', '--template', 'shop', '--force'], { cwd })).code).toBe(0)
  expect(read(cwd, 'cms.yaml')).toContain('# A shop')
  expect(parseArguments(['validate', '--agents'])).toEqual({ fault: '--agents is for "cms-run init"' })
})

test('cms.yml is a file that is there, too', async () => {
  const cwd = newFolder()
  writeFileSync(join(cwd, 'cms.yml'), 'mine')
  expect((await runCommand(['init', '--agents'], { cwd })).code).toBe(0)
  expect(existsSync(join(cwd, 'cms.yaml'))).toBe(false)
  expect(read(cwd)).toContain('npx cms-run validate cms.yml --json')
})

test('it names the skill and the index of the installed package, or else those on the web', async () => {
  const cwd = newFolder()
  await runCommand(['init', '--agents'], { cwd })
  expect(read(cwd)).toMatch(/`https:\/\/unpkg\.com\/cms-run@\d[^/]*\/skills\/cms-run\/SKILL\.md`/)
  for (const name of ['skills/cms-run/SKILL.md', 'llms.txt']) {
    const path = join(cwd, 'node_modules/cms-run', name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, '')
  }
  await runCommand(['init', '--agents', '--force'], { cwd })
  expect(read(cwd)).toContain('`./node_modules/cms-run/skills/cms-run/SKILL.md`')
  expect(read(cwd)).toContain('`./node_modules/cms-run/llms.txt`')
  expect(read(cwd)).not.toMatch(/\{\w+\}(?!')/)
})
