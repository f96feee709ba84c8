// When the command line logs requests, and how: on a terminal in development, and where the file asks for it.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCli } from '../../src/cli/main.ts'
import { newFolder } from '../archive/in-file.ts'
import { transportsHere } from '../support/transports.ts'

interface Start {
  readonly isTty: boolean
  readonly config?: string
  readonly env?: Readonly<Record<string, string>>
  readonly flags?: readonly string[]
}

/** Serves, asks for some paths, ends; returns what was written to standard output. */
async function served({ isTty, config = '', env = {}, flags = [] }: Start): Promise<string> {
  const file = join(newFolder(), 'cms.yaml')
  writeFileSync(file, `${config}contentTypes: { note: { text: string } }\n`)
  let said = ''
  let stop = (): void => {}
  let listening = (_url: string): void => {}
  const url = new Promise<string>((resolve) => {
    listening = resolve
  })
  const ended = runCli([file, '--port', '0', '--no-watch', ...flags], {
    cwd: '/',
    env: { NO_COLOR: '1', ...env },
    isTty,
    out(text) {
      said += text
      const found = /listening on (http:\/\/localhost:\d+)/.exec(text)?.[1]
      if (found !== undefined) listening(found)
    },
    err: () => {},
    onSignal(name, act) {
      if (name === 'SIGTERM') stop = act
      return () => {}
    },
    onFault: () => () => {},
  })
  const origin = await url
  for (const path of ['/api/notes?sort=text', '/nowhere', '/_health', `/${'a'.repeat(20_000)}`])
    await (await fetch(origin + path)).arrayBuffer()
  stop()
  expect(await ended).toBe(0)
  return said
}

const SHOWN =
  /GET \/api\/notes\?sort=text 403 \d+\.\d ms public\n\d\d:\d\d:\d\d GET \/nowhere 404 \d+\.\d ms\n\d\d:\d\d:\d\d GET \/a{255}… 414 \d+\.\d ms\n/

describe.each(transportsHere)('over %s', (transport) => {
  test('on a terminal in development, with refused requests', async () => {
    expect(await served({ isTty: true, env: { CMS_RUN_TRANSPORT: transport } })).toMatch(SHOWN)
  })
})

test('in colours, where they are wanted', async () => {
  const said = await served({ isTty: true, env: { NO_COLOR: '', FORCE_COLOR: '1' } })
  expect(said).toContain('GET /nowhere \u001b[33m404\u001b[0m')
})

test.each<[string, Start]>([
  ['away from a terminal', { isTty: false }],
  ['in production', { isTty: true, flags: ['--env', 'production'] }],
  ['where the file says no', { isTty: true, config: 'server: { log: { requests: false } }\n' }],
])('not %s', async (_where, start) => {
  expect(await served(start)).not.toContain('/nowhere')
})

test.each<[string, Start]>([
  ['where the file asks for it', { isTty: false, config: 'server: { log: { requests: true } }\n' }],
  ['on a terminal with --json', { isTty: true, flags: ['--json'] }],
])('as JSON %s', async (_where, start) => {
  const said = await served(start)
  const lines = said
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { message: string; path?: string; status?: number })
  expect(lines.filter(({ message }) => message === 'request')).toMatchObject([
    { method: 'GET', path: '/api/notes', query: 'sort=text', status: 403, role: 'public' },
    { path: '/nowhere', status: 404 },
    { status: 414 },
  ])
})
