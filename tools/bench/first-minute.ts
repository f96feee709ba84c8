// From `npx cms-run init --template blog` to a browser that shows data, with the packed package and the real browser, step
// by step. The download and installation of the package are left out: they are the network's and npm's.

import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'

const run = promisify(execFile)
const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const PORT = 18_338

async function installed(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'cms-run-minute-'))
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: root })
  const [{ filename }] = JSON.parse(stdout.slice(stdout.search(/^\[\s*$/m))) as [{ filename: string }]
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const flags = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
  await run('npm', ['install', ...flags, join(folder, filename)], { cwd: folder })
  return folder
}

async function oneMinute(cwd: string): Promise<Readonly<Record<string, number>>> {
  const times: Record<string, number> = {}
  const begun = performance.now()
  let last = begun
  const step = (name: string): void => {
    times[name] = performance.now() - last
    last = performance.now()
  }
  await run('npx', ['cms-run', 'init', '--template', 'blog', '--force'], { cwd })
  step('npx cms-run init --template blog')
  const server = spawn('npx', ['cms-run', '--port', String(PORT)], {
    cwd,
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  const address = await new Promise<string>((resolve) => {
    let said = ''
    server.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      const found = /http:\/\/localhost:\d+/.exec(said)?.[0]
      if (found !== undefined) resolve(`${found}/api/articles?populate=author`)
    })
  })
  step('npx cms-run, until it listens')
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  })
  step('the browser starts')
  const page = await browser.newPage()
  await page.goto(address)
  await page.waitForFunction('document.body.innerText.includes("The tide table")')
  step('the page shows data')
  times['all'] = performance.now() - begun
  await browser.close()
  const ended = new Promise((resolve) => server.once('exit', resolve))
  if (server.pid !== undefined) process.kill(-server.pid, 'SIGTERM')
  await ended
  return times
}

const folder = await installed()
const rounds: Readonly<Record<string, number>>[] = []
for (let round = 0; round < 5; round += 1) rounds.push(await oneMinute(folder))
for (const name of Object.keys(rounds[0] ?? {})) {
  const sorted = rounds.map((times) => times[name] ?? 0).sort((a, b) => a - b)
  const [least = 0, , median = 0, , most = 0] = sorted.map((time) => time / 1000)
  console.log(`${name}: median ${median.toFixed(2)} s (${least.toFixed(2)} to ${most.toFixed(2)})`)
}
rmSync(folder, { recursive: true, force: true })
