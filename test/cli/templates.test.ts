// The templates of `cms-run init`: each is right without a warning, and answers the requests that its comments show.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { templateNames } from '../../src/cli/template-names.ts'
import { createCms } from '../../src/index.ts'
import { newFolder } from '../archive/in-file.ts'
import { runCommand } from '../support/run-command.ts'

const folder = join(import.meta.dirname, '../../examples/templates')

test('every file of the folder is a template', () => {
  const files = [...templateNames.map((name) => `${name}.yaml`), 'agents.md']
  expect(readdirSync(folder).sort()).toEqual(files.sort())
})

interface Shown {
  readonly line: string
  readonly path: string
  readonly init: RequestInit
  readonly status: number
}

/** `#   curl …    # 403`; without a status at the end it is expected to be answered 200. */
function requestsOf(text: string): readonly Shown[] {
  return [...text.matchAll(/^#\s+curl (.*?)(?:\s{2,}# (\d{3}))?$/gm)].map(([line, words = '', status]) => {
    const headers: Record<string, string> = {}
    const shown = { path: '', method: undefined as string | undefined, body: undefined as string | undefined }
    const given = [...words.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
      ([, single, double, bare]) => single ?? double?.replace('\\$', '$') ?? bare ?? '',
    )
    for (let at = 0; at < given.length; at += 1) {
      const word = given[at] ?? ''
      const next = given[at + 1] ?? ''
      if (word === '-H') headers[next.slice(0, next.indexOf(':'))] = next.slice(next.indexOf(':') + 1).trim()
      else if (word === '-X') shown.method = next
      else if (word === '-d') shown.body = next
      else if (word.startsWith('http://localhost:1337/'))
        shown.path = word.slice('http://localhost:1337'.length)
      else if (word !== '-g') throw new Error(`curl is not called so: ${line}`)
      if (['-H', '-X', '-d'].includes(word)) at += 1
    }
    const method = shown.method ?? (shown.body === undefined ? 'GET' : 'POST')
    const init = { method, headers, ...(shown.body === undefined ? {} : { body: shown.body }) }
    return { line, path: shown.path, init, status: Number(status ?? 200) }
  })
}

describe.each(templateNames)('%s', (template) => {
  test('is written with the line that editors read, and is right', async () => {
    const cwd = newFolder()
    const file = join(cwd, 'cms.yaml')
    expect(await runCommand(['init', file, '--template', template], { cwd })).toEqual({
      code: 0,
      out: `${file} is written; start it with: npx cms-run ${file}\n`,
      err: '',
    })
    expect(readFileSync(file, 'utf8')).toMatch(
      /^# yaml-language-server: \$schema=https:\/\/unpkg\.com\/cms-run@\d+\.\d+\.\d+\S*\/schemas\/cms\.schema\.json\n#\n# [A-Z]/,
    )
    expect(await runCommand(['validate', file], { cwd })).toEqual({
      code: 0,
      out: expect.stringMatching(new RegExp(`^${file} is valid\n( {2}/api/[a-z-]+\n)+$`)),
      err: '',
    })
  })

  test('answers the requests of its comments', async () => {
    const requests = requestsOf(readFileSync(join(folder, `${template}.yaml`), 'utf8'))
    expect(requests.length).toBeGreaterThanOrEqual(8)
    const cms = await createCms(join(folder, `${template}.yaml`), { env: {} })
    let jwt = ''
    for (const { line, path, init, status } of requests) {
      const headers = Object.entries(init.headers ?? {}).map(([name, value]): [string, string] => [
        name,
        value.replace('$JWT', jwt),
      ])
      const asked = path.replace('$NOW', new Date().toISOString())
      const response = await cms.fetch(asked, { ...init, headers })
      const answer = (await response.json()) as { data?: unknown; jwt?: string; errors?: unknown }
      expect([line, response.status, answer.errors]).toEqual([line, status, undefined])
      // What is asked for is there: no example finds nothing.
      if (Array.isArray(answer.data)) expect([line, answer.data.length > 0]).toEqual([line, true])
      jwt = answer.jwt ?? jwt
    }
    await cms.close()
  })

  test('no line is too long for a terminal beside an editor, requests left out', () => {
    const lines = readFileSync(join(folder, `${template}.yaml`), 'utf8').split('\n')
    expect(lines.filter((line) => line.length > 120 && !/^#\s+curl/.test(line))).toEqual([])
  })
})
