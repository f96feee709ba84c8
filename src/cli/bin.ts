// The process around `runCli`: its arguments, streams, signals and exit code.

import { setInterval } from 'node:timers'
import { setFlagsFromString } from 'node:v8'
import { runCli } from './main.ts'

// V8 optimises SQLite's largest functions for 100 ms of a core each. That is well spent after a second of load, not on
// the way to the first answer: 610 ms of processor time became 450.
setFlagsFromString('--wasm-tiering-budget=100000000')
// By default V8 lets a small heap grow to four times what is alive before it looks for garbage that has become old: 20,000
// distinct questions left 120 MB of it, now 25 MB.
setFlagsFromString('--heap-growing-percent=60')
// While nothing is open yet (WebAssembly is being compiled), Node would end its loop and wait for all such work: 60 ms.
setInterval(() => {}, 60_000)

// A closed pipe (`cms-run | head`) is no reason to die with a stack.
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
  // Whatever is still open (a poll, a pool) must not keep a finished command alive.
  await new Promise((resolve) => process.stdout.write('', resolve))
  process.exit()
}

void main()
