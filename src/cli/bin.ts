// The entry point of the process: connects `runCli` to arguments, streams, signals and the exit code.

import { createInterface } from 'node:readline'
import { setInterval } from 'node:timers'
import { runCli } from './main.ts'

// Keeps the event loop alive: with nothing open while WebAssembly compiles, Node would wait for all of it (60 ms).
setInterval(() => {}, 60_000)

// Ignores a closed pipe (`cms-run | head`) instead of failing with a stack trace.
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
    fd: process.stdout.fd,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    onSignal(name, act) {
      process.on(name, act)
      return () => process.off(name, act)
    },
    onExit: (act) => void process.on('exit', act),
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
  // Exits explicitly: open resources (a file poll, a connection pool) must not keep a finished command alive.
  await new Promise((resolve) => process.stdout.write('', resolve))
  process.exit()
}

/** Empty when the input ends, as with Ctrl-D or Ctrl-C, without an answer. */
async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  return new Promise<string>((resolve) => {
    lines.once('close', () => resolve(''))
    lines.question(question, resolve)
  }).finally(() => lines.close())
}

void main()
