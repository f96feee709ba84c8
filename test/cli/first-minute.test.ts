// The first minute of a new user, with the real program: `init`, then `--open`, and the console in a browser.

import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../archive/in-file.ts'

const bin = join(import.meta.dirname, '../../bin/cms-run.js')
const CHROMIUM = '/usr/bin/chromium'
const missing = !existsSync(CHROMIUM)
if (missing) console.warn(`SKIPPED: no page is opened, because there is no ${CHROMIUM}`)

test.skipIf(process.platform === 'win32').each(['blog', 'site'])('%s', async (template) => {
  const folder = newFolder()
  const opened = join(folder, 'opened')
  // What the system opens addresses with.
  mkdirSync(join(folder, 'bin'))
  for (const name of ['open', 'xdg-open']) {
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\nprintf %s "$1" > '${opened}'\n`)
    chmodSync(join(folder, 'bin', name), 0o755)
  }
  const start = (...args: string[]) =>
    spawn(process.execPath, [bin, ...args], {
      cwd: folder,
      env: { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH']}` },
      stdio: 'ignore',
    })
  const made = start('init', '--template', template)
  expect(await new Promise((resolve) => made.once('exit', resolve))).toBe(0)
  const server = start('--open', '--port', '0', '--no-watch')
  const ended = new Promise((resolve) => server.once('exit', resolve))
  onTestFinished(() => void server.kill('SIGKILL'))
  const addressOf = (): string => (existsSync(opened) ? readFileSync(opened, 'utf8') : '')
  while (addressOf() === '') {
    if (server.exitCode !== null) throw new Error(`it ended with ${server.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  expect(addressOf()).toMatch(/^http:\/\/localhost:\d+\/#key=[\w-]+$/)
  expect(await shownBy(addressOf())).toContain({ blog: '/api/articles', site: '/api/pages' }[template])
  server.kill('SIGTERM')
  expect(await ended).toBe(0)
})

async function shownBy(address: string): Promise<string> {
  if (missing) return (await fetch(address)).text()
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const page = await browser.newPage()
    await page.goto(address)
    await page.waitForSelector('table')
    return await page.innerText('body')
  } finally {
    await browser.close()
  }
}
