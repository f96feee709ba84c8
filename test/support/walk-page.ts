// Goes through a page of the documentation as its reader does: its file grows while a server runs, and every command
// gives what the page shows.

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { addedToYaml, type Block, blocksOf, commandsOf, curlRequest, expectedAnswer } from './doc-page.ts'
import { mismatches } from './match-json.ts'
import { runCommand } from './run-command.ts'

export interface Walk {
  /** The folder with `cms.yaml` and what else the page writes. */
  readonly folder: string
  /** The server as the page has left it. */
  cms(): Cms
  /** A part of the page. Where it says "start … again", the server begins anew after each edit, else it reloads. */
  follow(part: string): Promise<void>
}

export interface WalkOptions {
  readonly env?: Readonly<Record<string, string>>
  /** The mistake that the page asks for before `validate`. */
  readonly mistake?: (file: string) => string
  /** Commands that only a shell can run. */
  readonly skipped?: readonly string[]
}

export function walkPage(folder: string, options: WalkOptions = {}): Walk {
  const { env = {}, mistake = (text) => text, skipped = [] } = options
  const file = join(folder, 'cms.yaml')
  const variables = new Map<string, string>()
  let text = ''
  let cms: Cms | undefined
  let answer: { readonly status: number; readonly body: unknown } | undefined
  let printed = ''

  async function edit(block: string, anew: boolean): Promise<void> {
    text = addedToYaml(text, block)
    writeFileSync(file, text)
    if (cms !== undefined && !anew) {
      // A file that the page has not written yet is named: the server waits for it.
      await cms.reload().catch(() => {})
      return
    }
    await cms?.close()
    cms = await createCms(file, { env })
  }

  async function run(command: string): Promise<void> {
    const variable = /^(\w+)=/.exec(command)?.[1]
    if (command.startsWith('curl ')) {
      const { path, init } = curlRequest(command, variables)
      const response = await cms?.fetch(path, init)
      const body = (await response?.text()) ?? ''
      answer = { status: response?.status ?? 0, body: body === '' ? undefined : JSON.parse(body) }
    } else if (variable !== undefined) {
      variables.set(variable, await copied(variable))
    } else if (command === 'npx cms-run validate') {
      writeFileSync(file, mistake(text))
      printed = (await runCommand(['validate', file], { cwd: folder })).err.replaceAll(file, 'cms.yaml')
      writeFileSync(file, text)
    } else if (command.startsWith('npx cms-run ') && !skipped.includes(command)) {
      const [name = '', ...flags] = command.split(' ').slice(2)
      const words = [name, file, ...flags.filter((word) => word !== '--watch')]
      const { code, out, err } = await runCommand(words, { cwd: folder, env })
      expect({ command, code, err }).toMatchObject({ command, code: 0 })
      printed = out
    } else expect(['npm install cms-run', 'npx cms-run', ...skipped]).toContain(command)
  }

  /** What a reader copies: the token of the last answer, or the code of the last mail. */
  async function copied(variable: string): Promise<string> {
    if (variable !== 'CODE') return (answer?.body as { jwt?: string } | undefined)?.jwt ?? ''
    await expect.poll(() => cms?.outbox.length, { timeout: 60_000 }).toBeGreaterThan(0)
    return /code=(\w+)/.exec(cms?.outbox.at(-1)?.text ?? '')?.[1] ?? ''
  }

  async function follow({ language, text: block, line }: Block, part: string): Promise<void> {
    const where = `${part.slice(0, part.indexOf('\n'))}, line ${line}`
    switch (language) {
      case 'yaml':
        return edit(block, /\bstart (?:it|the server) again/i.test(part))
      case 'ts': {
        const path = join(folder, /^\/\/ (\S+)\n/.exec(block)?.[1] ?? '')
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, block)
        return cms?.reload()
      }
      case 'sh':
        for (const command of commandsOf(block)) await run(command)
        return
      case 'json': {
        const expected = expectedAnswer(block) as { error?: { status: number } }
        const shown = `${where}: ${JSON.stringify(answer?.body)}`
        expect(answer?.status, shown).toBe(expected.error?.status ?? 200)
        expect(mismatches(expected, answer?.body), shown).toEqual([])
        return
      }
      case 'text':
        expect(printed, where).toBe(block)
        return
      default:
        throw new Error(`${where}: a block of ${language}`)
    }
  }

  return {
    folder,
    cms() {
      if (cms === undefined) throw new Error('the page has not started a server')
      return cms
    },
    async follow(part) {
      for (const block of blocksOf(part)) await follow(block, part)
    },
  }
}
