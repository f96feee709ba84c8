#!/usr/bin/env node
// Runs the built command line; in a checkout the sources through tsx, unless CMS_RUN_BUILT is 1.
import { existsSync } from 'node:fs'

const built = new URL('../dist/cli.js', import.meta.url)
const source = new URL('../src/cli/bin.ts', import.meta.url)

// ES modules are required in some places, which older versions refuse.
if (process.features.require_module !== true) {
  console.error(`cms-run: needs Node 20.19, 22.12 or newer; this is ${process.version}`)
  process.exit(1)
}
if (existsSync(source) && process.env.CMS_RUN_BUILT !== '1') {
  const { register } = await import('tsx/esm/api')
  register()
  await import(source.href)
} else {
  await import(built.href)
}
