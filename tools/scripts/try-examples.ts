// `npx tsx tools/scripts/try-examples.ts [example…]`: packs cms-run, installs it beside each folder of `examples/testing` and runs the
// tests there, as somebody would who copied the folder. Needs the npm registry; Playwright takes /usr/bin/chromium where there
// is one.

import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const examples = join(root, 'examples/testing')
const wanted = process.argv.slice(2)
const CHROMIUM = '/usr/bin/chromium'

const folder = mkdtempSync(join(tmpdir(), 'cms-run-examples-'))
const npm = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('npm', [...args], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...(existsSync(CHROMIUM) ? { BROWSER_PATH: CHROMIUM } : {}) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
try {
  const packed = npm(root, 'pack', '--silent', '--pack-destination', folder).trim().split('\n').at(-1) ?? ''
  for (const { name } of readdirSync(examples, { withFileTypes: true }).filter((each) =>
    each.isDirectory(),
  )) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    const copy = join(folder, name)
    cpSync(join(examples, name), copy, { recursive: true })
    npm(copy, 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent', join(folder, packed))
    console.log(`${name}\n${npm(copy, 'test', '--silent')}`)
  }
} finally {
  rmSync(folder, { recursive: true })
}
