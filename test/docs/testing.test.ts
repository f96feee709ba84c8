// The tests that docs/reference/testing.md shows pass, each with the runner that it is for.

import { execFile } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { newFolder } from '../archive/in-file.ts'
import { compilePrograms } from '../support/compile-programs.ts'
import { blocksOf } from '../support/doc-page.ts'
import { runCommand } from '../support/run-command.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const blocks = blocksOf(readFileSync(join(root, 'docs/reference/testing.md'), 'utf8'))
const programs = blocks
  .filter(({ language }) => language === 'ts')
  .map(({ text }) => [/^\/\/ (\S+)\n/.exec(text)?.[1] ?? '', text] as const)

async function pageFolder(): Promise<string> {
  const folder = newFolder()
  const file = join(folder, 'cms.yaml')
  writeFileSync(file, blocks.find(({ language }) => language === 'yaml')?.text ?? '')
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const { code, err } = await runCommand(['client', file, '--out', 'client.ts'], { cwd: folder })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return folder
}

test('they are right for the compiler', async () => {
  const folder = await pageFolder()
  const found = compilePrograms(folder, Object.fromEntries(programs))
  expect([...found.values()].flat()).toEqual([])
})

test('they pass', async () => {
  const folder = await pageFolder()
  const entry = JSON.stringify(join(root, 'src/index.ts'))
  for (const [name, text] of programs)
    writeFileSync(join(folder, name), text.replace("'cms-run'", entry).replace('./client.js', './client.ts'))
  expect(programs.map(([name]) => name)).toEqual([
    'articles.test.ts',
    'callers.test.ts',
    'time.test.ts',
    'make.test.ts',
    'matchers.test.ts',
    'trouble.test.ts',
    'articles-node.test.ts',
    'client.test.ts',
    'more.test.ts',
  ])
  const here = { cwd: folder, env: { ...process.env, NO_COLOR: '1', VITEST: undefined } }
  const byVitest = programs.map(([name]) => name).filter((name) => !name.includes('-node'))
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const { stdout } = await run(
    process.execPath,
    [vitest, 'run', '--root', folder, '--testTimeout', '120000', ...byVitest],
    here,
  )
  expect(stdout).toMatch(/Tests {2}12 passed \(12\)/)
  const node = ['--import', join(root, 'node_modules/tsx/dist/loader.mjs'), '--test', 'articles-node.test.ts']
  expect((await run(process.execPath, node, here)).stdout).toMatch(/pass 2\n/)
})
