// A server in a process of its own, pinned to one core where the system allows it and nothing else is asked.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export interface Started {
  readonly process: ChildProcess
  readonly url: string
  stop(): Promise<void>
}

export const pinned = spawnSync('taskset', ['-V']).error === undefined

/** Waits for a line with a port or a URL in it. `cores`: those it may use, as `taskset` has them. */
export async function startProcess(args: readonly string[], cores = '0'): Promise<Started> {
  const pin = pinned ? ['taskset', '-c', cores] : []
  const [command = 'node', ...rest] = [...pin, process.execPath, ...args]
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'inherit'] })
  process.once('exit', () => child.kill('SIGKILL'))
  const port = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}`)))
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /(?:localhost|127\.0\.0\.1):(\d+)/.exec(line)?.[1] ?? /^(\d+)$/.exec(line)?.[1]
      if (found !== undefined) resolve(found)
    })
  })
  return {
    process: child,
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}
