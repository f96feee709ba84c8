import { defineConfig } from '@playwright/test'

// `BROWSER_PATH` names a Chromium that is installed already; without it, `npx playwright install chromium` brings one.
const { BROWSER_PATH } = process.env

export default defineConfig({
  testMatch: '*.spec.js',
  workers: 2,
  fullyParallel: true,
  timeout: 120_000,
  expect: { timeout: 60_000 },
  use: BROWSER_PATH ? { launchOptions: { executablePath: BROWSER_PATH, args: ['--no-sandbox'] } } : {},
})
