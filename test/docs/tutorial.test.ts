// docs/tutorial/first-api.md, step by step, and the pages of its last step, which ask the server that it has built.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { newFolder } from '../archive/in-file.ts'
import { compilePrograms } from '../support/compile-programs.ts'
import { walkPage } from '../support/walk-page.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/tutorial/first-api.md'), 'utf8')
const steps = page.split(/^(?=## \d+\. )/m).slice(1)

test('there are ten steps', () => {
  expect(steps.map((step) => Number.parseInt(step.slice(3), 10))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})

test('the page holds', async () => {
  const folder = newFolder()
  const walk = walkPage(folder, { mistake: (text) => text.replace('string!', 'strong!') })
  for (const step of steps) await walk.follow(step)

  const sources = Object.fromEntries(
    ['client.ts', 'page.ts'].map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )
  expect([...compilePrograms(newFolder(), sources).values()].flat()).toEqual([])
  const { url } = await walk.cms().listen(0, '127.0.0.1')
  const entry = join(folder, 'page.ts')
  writeFileSync(entry, sources['page.ts']?.replace('http://localhost:1337', url) ?? '')
  const outfile = join(folder, 'page.mjs')
  await build({ entryPoints: [entry], bundle: true, format: 'esm', outfile, logLevel: 'silent' })
  const { frontPage, comment } = (await import(/* @vite-ignore */ pathToFileURL(outfile).href)) as {
    frontPage(): Promise<string>
    comment(...words: [string, number, string, string]): Promise<number>
  }
  expect(await frontPage()).toContain('<h2>Soup of the day</h2><p>by Ann</p>')
  expect(await comment('Again.', 1, 'bob', 'correct horse')).toBe(1)
  await walk.cms().close()
})
