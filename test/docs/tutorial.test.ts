// docs/tutorial.md, step by step: its file grows while a server runs, and every command gives what the page shows.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { newFolder } from '../archive/in-file.ts'
import { compilePrograms } from '../support/compile-programs.ts'
import {
  addedToYaml,
  type Block,
  blocksOf,
  commandsOf,
  curlRequest,
  expectedAnswer,
} from '../support/doc-page.ts'
import { mismatches } from '../support/match-json.ts'
import { runCommand } from '../support/run-command.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/tutorial.md'), 'utf8')
const steps = page.split(/^(?=## \d+\. )/m).slice(1)

test('there are ten steps', () => {
  expect(steps.map((step) => Number.parseInt(step.slice(3), 10))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})

test('the page holds', async () => {
  const folder = newFolder()
  const file = join(folder, 'cms.yaml')
  const variables = new Map<string, string>()
  let text = ''
  let cms: Cms | undefined
  let answer: { readonly status: number; readonly body: unknown } | undefined
  let report = ''

  async function restart(): Promise<void> {
    await cms?.close()
    cms = await createCms(file, { env: {} })
  }

  async function run(command: string): Promise<void> {
    if (command.startsWith('curl ')) {
      const { path, init } = curlRequest(command, variables)
      const response = await cms?.fetch(path, init)
      answer = { status: response?.status ?? 0, body: await response?.json() }
    } else if (/^JWT=/.test(command)) {
      variables.set('JWT', (answer?.body as { jwt: string } | undefined)?.jwt ?? '')
    } else if (command === 'npx cms-run validate') {
      // The mistake that the page asks for.
      writeFileSync(file, text.replace('enumeration', 'enumertion'))
      report = (await runCommand(['validate', file], { cwd: folder })).err.replaceAll(file, 'cms.yaml')
      writeFileSync(file, text)
    } else if (command.startsWith('npx cms-run ')) {
      const [name = '', ...flags] = command.split(' ').slice(2)
      const words = [name, file, ...flags.filter((word) => word !== '--watch')]
      const { code } = await runCommand(words, { cwd: folder })
      expect({ command, code }).toEqual({ command, code: 0 })
    } else expect(['npm install cms-run', 'npx cms-run']).toContain(command)
  }

  async function follow({ language, text: block, line }: Block, step: string): Promise<void> {
    const where = `docs/tutorial.md, step ${Number.parseInt(step.slice(3), 10)}, line ${line} of it`
    switch (language) {
      case 'yaml':
        text = addedToYaml(text, block)
        writeFileSync(file, text)
        if (cms === undefined || /start (?:it|the server) again/i.test(step)) await restart()
        else if (!block.includes('./')) await cms.reload()
        return
      case 'ts':
        writeFileSync(join(folder, /^\/\/ (\S+)\n/.exec(block)?.[1] ?? ''), block)
        await cms?.reload()
        return
      case 'sh':
        for (const command of commandsOf(block)) await run(command)
        return
      case 'json': {
        const expected = expectedAnswer(block) as { error?: { status: number } }
        expect(answer?.status, where).toBe(expected.error?.status ?? 200)
        expect(mismatches(expected, answer?.body), `${where}: ${JSON.stringify(answer?.body)}`).toEqual([])
        return
      }
      case 'text':
        expect(report, where).toBe(block)
        return
      default:
        throw new Error(`${where}: a block of ${language}`)
    }
  }

  for (const step of steps) for (const block of blocksOf(step)) await follow(block, step)

  // The pages of the last step, with the client that was just written.
  const sources = Object.fromEntries(
    ['client.ts', 'page.ts'].map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )
  expect([...compilePrograms(newFolder(), sources).values()].flat()).toEqual([])
  const { url } = (await cms?.listen(0, '127.0.0.1')) ?? { url: '' }
  writeFileSync(join(folder, 'page.ts'), sources['page.ts']?.replace('http://localhost:1337', url) ?? '')
  const outfile = join(folder, 'page.mjs')
  await build({
    entryPoints: [join(folder, 'page.ts')],
    bundle: true,
    format: 'esm',
    outfile,
    logLevel: 'silent',
  })
  const { frontPage, comment } = (await import(/* @vite-ignore */ pathToFileURL(outfile).href)) as {
    frontPage(): Promise<string>
    comment(...words: [string, number, string, string]): Promise<number>
  }
  expect(await frontPage()).toContain('<h2>Soup of the day</h2><p>by Ann</p>')
  expect(await comment('Again.', 1, 'bob', 'correct horse')).toBe(1)
  await cms?.close()
})
