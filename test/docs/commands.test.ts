// Commands that the documentation shows are commands that the program takes.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandNames } from '../../src/cli/command-names.ts'
import { parseArguments } from '../../src/cli/parse-arguments.ts'

const root = join(import.meta.dirname, '../..')
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  'skills/cms-run/SKILL.md',
  'examples/templates/agents.md',
]

/** Lines of code that call it; optional parts as if they were given, what explains them left out. */
function commandsOf(page: string): readonly string[] {
  const text = readFileSync(join(root, page), 'utf8')
  return [
    ...text.matchAll(/^(?: {4}|\$ |npx )(?:npx )?cms-run(?: [^\n]*)?$|(?<=`)npx cms-run[^`\n]*(?=`)/gm),
  ].map(([line]) =>
    line
      .trim()
      .replace(/^\$ /, '')
      .replace(/^npx /, '')
      .replace(/ {2,}.*$/, '')
      .replace(/ [>|&#].*$/, '')
      .replace(/[[\]]/g, ''),
  )
}

const shown = pages.flatMap((page) => commandsOf(page).map((line) => [page, line] as const))

test('there are some', () => {
  expect(shown.length).toBeGreaterThan(10)
})

test.each(shown)('%s: %s', (_page, line) => {
  const parsed = parseArguments(line.split(/\s+/).slice(1))
  expect('fault' in parsed ? parsed.fault : undefined).toBeUndefined()
})

test('every command is in the help', async () => {
  const { helpText } = await import('../../src/cli/commands/help.ts')
  const silent = ['run', 'help', 'version']
  expect(
    commandNames.filter((name) => !silent.includes(name) && !helpText.includes(`cms-run ${name}`)),
  ).toEqual([])
})
