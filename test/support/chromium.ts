// A real browser: Debian's chromium, which continuous integration has to have.

import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const CHROMIUM = '/usr/bin/chromium'

const ARGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
  ...['--disable-background-networking', '--disable-component-update'],
]

/** Whether the tests are left out, which is said. `what` they would have tested. */
export function withoutChromium(what: string): boolean {
  const missing = !existsSync(CHROMIUM)
  if (missing && process.env['CI'] === 'true') throw new Error(`${CHROMIUM} is missing: install chromium`)
  if (missing) console.warn(`SKIPPED: ${what} is not tested, because there is no ${CHROMIUM}`)
  return missing
}

export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: ARGS })
}
