// Process start to the first 200 of the built command line on the sample configuration, and its idle memory.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const PORT = 18_337

export async function coldStart(runs = 7): Promise<void> {
  const times: number[] = []
  const memory: number[] = []
  for (let run = 0; run < runs; run++) {
    const started = performance.now()
    const args = [join(root, 'dist/cli.js'), join(root, 'cms.yaml'), '--port', String(PORT)]
    const child = spawn(process.execPath, args, { stdio: 'ignore' })
    while (!(await answers())) await new Promise((resolve) => setTimeout(resolve, 2))
    times.push(performance.now() - started)
    await new Promise((resolve) => setTimeout(resolve, 1500))
    const resident = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]
    memory.push(Number(resident) / 1024)
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  console.log(
    `\ncold start to the first 200: median ${median(times).toFixed(0)} ms of ${runs} (${Math.min(...times).toFixed(0)} to ${Math.max(...times).toFixed(0)})`,
  )
  console.log(`idle memory: median ${median(memory).toFixed(0)} MB`)
}

async function answers(): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${PORT}/api/restaurants`)).status === 200
  } catch {
    return false
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await coldStart()
