// What a configuration is made of turns into a pipe, a directory or a link to nothing while it serves: nothing waits for
// it, it is said, everything goes on, and the next good save is taken.

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'

const CONFIG = `
contentTypes: { note: { attributes: { text: string } } }
routes: [{ path: /answer, handler: ./answer.ts, auth: false }]
data: { note: ./notes.json }
`
const FILES = {
  'cms.yaml': CONFIG,
  'answer.ts': 'import data from "./answer.json"\nexport default () => data',
  'answer.json': '{"answer":1}',
  'notes.json': '[{"text":"one"}]',
} as const

const AFTER = {
  'cms.yaml': CONFIG.replace('/answer,', '/changed,'),
  'answer.ts': 'export default () => ({ answer: 2 })',
  'answer.json': '{"answer":2}',
  'notes.json': '[{"text":"two"}]',
} as const

const turns: readonly [string, (path: string) => unknown, RegExp][] = [
  ['a pipe', (path) => execFileSync('mkfifo', [path]), /it is not a regular file/],
  ['a directory', (path) => mkdirSync(path), /it is a directory|there is no|Could not resolve/],
  ['a link to nothing', (path) => symlinkSync(`${path}.nothing`, path), /there is no|Could not resolve/],
]

let directory: string
let cms: Cms
let log: string

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'cms-no-file-'))
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(directory, name), text)
  log = ''
  cms = await createCms(join(directory, 'cms.yaml'), {
    env: {},
    watch: true,
    log: (line) => {
      log += line
    },
  })
})
afterEach(async () => {
  await cms.close()
  rmSync(directory, { recursive: true, force: true })
})

async function answers(): Promise<Record<string, unknown>> {
  const answer = await (await cms.fetch('/api/answer')).json()
  const changed = (await cms.fetch('/api/changed')).status
  return { answer: (answer as { answer?: unknown }).answer, changed }
}

describe.each(Object.keys(FILES) as (keyof typeof FILES)[])('%s turns into', (name) => {
  test.each(turns)('%s', async (_what, turn, said) => {
    const path = join(directory, name)
    rmSync(path)
    turn(path)
    await expect(cms.reload()).rejects.toThrow(said)
    while (!log.includes(`${path} `)) await wait(20)
    expect(await answers()).toEqual({ answer: 1, changed: 404 })
    rmSync(path, { recursive: true })
    writeFileSync(path, AFTER[name])
    const before = log.length
    if (name === 'notes.json') {
      while (!log.slice(before).includes('the content was replaced by what data says')) await wait(20)
      expect(await cms.entries('note').findMany()).toMatchObject([{ text: 'two' }])
    } else if (name === 'cms.yaml') {
      while ((await answers())['changed'] !== 200) await wait(20)
    } else {
      while ((await answers())['answer'] !== 2) await wait(20)
    }
  })
})
