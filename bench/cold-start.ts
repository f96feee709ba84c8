// What a start costs beside that of node itself, in turns: of the built command line on the sample configuration to its first
// 200, and of `createCms` in a program, cold and warm; and its idle memory.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const sample = join(root, 'cms.yaml')
const PORT = 18_337

const PROGRAM = `const times = []
const took = async (task) => { const from = performance.now(); const result = await task(); times.push(performance.now() - from); return result }
const { createCms } = await took(() => import(${JSON.stringify(pathToFileURL(join(root, 'dist/index.js')).href)}))
for (let run = 0; run < 6; run++) {
  const cms = await took(() => createCms(${JSON.stringify(sample)}, { env: {} }))
  if ((await cms.fetch('/api/restaurants')).status !== 200) throw new Error('no answer')
  await cms.close()
}
console.log(JSON.stringify([times[0] + times[1], Math.min(...times.slice(2))]))`

export async function coldStart(runs = 7): Promise<void> {
  const seen = new Map<string, number[]>()
  const add = (name: string, value: number): unknown => seen.set(name, [...(seen.get(name) ?? []), value])
  for (let run = 0; run < runs; run++) {
    const bare = performance.now()
    spawnSync(process.execPath, ['-e', "require('node:http').createServer().listen(0, () => process.exit())"])
    add("node's own server", performance.now() - bare)
    await ofCommandLine(add)
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', PROGRAM], {
      encoding: 'utf8',
    })
    const [cold = Number.NaN, warm = Number.NaN] = JSON.parse(stdout) as number[]
    add("import('cms-run') and createCms, cold", cold)
    add('createCms, warm', warm)
  }
  const node = median(seen.get("node's own server") ?? [])
  console.log(
    `\nmilliseconds to the first answer, medians of ${runs} starts in turns (quickest; ratio to node's own):`,
  )
  for (const [name, values] of seen) {
    const middle = median(values)
    const [unit, ratio] = name.endsWith('MB') ? ['MB', ''] : ['ms', `, ${(middle / node).toFixed(1)}x`]
    console.log(
      `${name.padEnd(42)}${middle.toFixed(0).padStart(6)} ${unit} (${Math.min(...values).toFixed(0)}${ratio})`,
    )
  }
}

async function ofCommandLine(add: (name: string, value: number) => void): Promise<void> {
  const started = performance.now()
  const args = [join(root, 'dist/cli.js'), sample, '--port', String(PORT)]
  const child = spawn(process.execPath, args, { stdio: 'ignore' })
  while (!(await answers())) await new Promise((resolve) => setTimeout(resolve, 2))
  add('command line to the first 200', performance.now() - started)
  await new Promise((resolve) => setTimeout(resolve, 1500))
  const resident = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]
  add('idle memory in MB', Number(resident) / 1024)
  child.kill('SIGTERM')
  await once(child, 'exit')
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
