// `cms-run` with workers, as a process of its own, for tests.

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { TransportName } from '../support/transports.ts'

const bin = join(dirname(fileURLToPath(import.meta.url)), '../../bin/cms-run.js')

export interface Answer {
  readonly status: number
  readonly text: string
}

export interface WorkerServer {
  readonly url: string
  /** Process ids of the workers that said that they listen, in their order. */
  workers(): readonly number[]
  /** Everything that was written. */
  output(): string
  edit(change: (text: string) => string): Promise<void>
  /** A file beside the configuration. */
  write(name: string, text: string): Promise<void>
  /** Over a connection of its own, so that any worker may get it. */
  ask(
    path: string,
    init?: { readonly method?: string; readonly body?: unknown; readonly token?: string },
  ): Promise<Answer>
  /** Resolves with the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>
  close(): Promise<void>
}

export async function startWorkerServer(
  yaml: string,
  transport: TransportName,
  flags: readonly string[] = [],
): Promise<WorkerServer> {
  const directory = await mkdtemp(join(tmpdir(), 'cms-workers-'))
  const file = join(directory, 'cms.yaml')
  await writeFile(file, yaml)
  await writeFile(join(directory, 'spin.mjs'), 'export default () => { for (;;); }\n')
  // With `--open` no browser is opened.
  for (const name of ['open', 'xdg-open'])
    await writeFile(join(directory, name), '#!/bin/sh\n', { mode: 0o755 })
  let output = ''
  const child: ChildProcess = spawn(process.execPath, [bin, file, ...flags], {
    env: {
      ...process.env,
      CMS_RUN_TRANSPORT: transport,
      NODE_ENV: 'development',
      PATH: `${directory}${delimiter}${process.env['PATH']}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  }
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  const url = await found(
    () => /workers listen on (\S+?)"/.exec(output)?.[1],
    () => child.exitCode !== null,
  )
  if (url === undefined) throw new Error(`no workers: ${output}`)
  return {
    url,
    output: () => output,
    workers: () =>
      [...output.matchAll(/"worker":(\d+)[^\n]*"message":"listening/g)].map(([, pid]) => Number(pid)),
    write: (name, text) => writeFile(join(directory, name), text),
    async edit(change) {
      await writeFile(file, change(await readFile(file, 'utf8')))
    },
    ask: (path, init = {}) => askOnce(`${url}${path}`, init),
    async end(signal) {
      child.kill(signal)
      return exited
    },
    async close() {
      child.kill('SIGTERM')
      await exited
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** The first answer that is one; undefined when `over` comes first. */
export async function found<T>(
  look: () => T | undefined,
  over = (): boolean => false,
): Promise<T | undefined> {
  for (;;) {
    const value = look()
    if (value !== undefined || over()) return value
    await wait(20)
  }
}

function askOnce(
  url: string,
  init: { readonly method?: string; readonly body?: unknown; readonly token?: string },
): Promise<Answer> {
  const { method = 'GET', body, token } = init
  return new Promise((resolve, reject) => {
    const headers = {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    }
    const sent = request(url, { method, headers, agent: new Agent({ keepAlive: false }) }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
