// Connects `runCli` to arguments, streams, signals and the exit code of the process.

import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { setInterval } from 'node:timers'
import { runCli } from './main.ts'

// Keeps the event loop alive: otherwise Node would wait for WebAssembly to compile (60 ms).
setInterval(() => {}, 60_000)

// A closed pipe (`cms-run | head`) is not an error.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

async function main(): Promise<never> {
  process.exitCode = await runCli(process.argv.slice(2), {
    cwd: process.cwd(),
    env: process.env,
    isTty: process.stdout.isTTY === true,
    ask: process.stdin.isTTY === true && process.stdout.isTTY === true ? ask : undefined,
    askSecret: process.stdin.isTTY === true ? askSecret : undefined,
    readInput,
    fd: process.stdout.fd,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    onSignal(name, act) {
      process.on(name, act)
      return () => process.off(name, act)
    },
    onFault(take) {
      const rejected = (reason: unknown): void => take(reason, 'unhandledRejection')
      process.on('uncaughtException', take)
      process.on('unhandledRejection', rejected)
      return () => {
        process.off('uncaughtException', take)
        process.off('unhandledRejection', rejected)
      }
    },
  })
  // Open resources (a file poll, a connection pool) must not keep a finished command alive.
  await new Promise((resolve) => process.stdout.write('', resolve))
  process.exit()
}

/** Empty when the input ends, as with Ctrl-D. */
async function ask(question: string, output: NodeJS.WritableStream = process.stdout): Promise<string> {
  const lines = createInterface({ input: process.stdin, output, historySize: 0, terminal: true })
  return new Promise<string>((resolve) => {
    lines.once('close', () => resolve(''))
    lines.question(question, resolve)
  }).finally(() => lines.close())
}

/** The question goes to standard error, because standard output may be a file. */
async function askSecret(question: string): Promise<string> {
  process.stderr.write(question)
  const nowhere = new Writable({ write: (_text, _encoding, done) => done() })
  const answer = await ask('', nowhere)
  process.stderr.write('\n')
  return answer
}

const MAX_INPUT_BYTES = 65_536

/** Stops after MAX_INPUT_BYTES: a text of that length is refused as a password. */
async function readInput(): Promise<string> {
  const read: Buffer[] = []
  let bytes = 0
  for await (const chunk of process.stdin) {
    read.push(chunk as Buffer)
    bytes += (chunk as Buffer).length
    if (bytes > MAX_INPUT_BYTES) break
  }
  return Buffer.concat(read).toString()
}

void main()
