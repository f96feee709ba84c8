// The programs of docs/reference/generated.md are right for the compiler, with what is made of the page's own file, and run.

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'
import { inFile, newFolder } from '../archive/in-file.ts'
import { compilePrograms } from '../support/compile-programs.ts'
import { runCommand } from '../support/run-command.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/reference/generated.md'), 'utf8')
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(([, text = '']) => text)

test('its programs are right', async () => {
  const file = inFile(blocks('yaml')[0] ?? '')
  const made = async (command: string): Promise<string> =>
    (await runCommand([command, file], { cwd: dirname(file) })).out
  const programs = blocks('ts')
  expect(programs).toHaveLength(2)
  const found = compilePrograms(newFolder(), {
    'content.d.ts': await made('types'),
    'client.ts': await made('client'),
    ...Object.fromEntries(programs.map((text, index) => [`program${index}.ts`, text])),
  })
  expect([...found.values()].flat()).toEqual([])
})

test('its file is right', async () => {
  await using cms = await createCms(inFile(blocks('yaml')[0] ?? ''), { env: {} })
  expect(await cms.entries('author').create({ name: 'Ann' })).toMatchObject({ name: 'Ann' })
})
