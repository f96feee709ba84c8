#!/usr/bin/env node
// Runs the built command line; in a checkout that was not built, the sources through tsx.
import { existsSync } from 'node:fs'

const built = new URL('../dist/cli.js', import.meta.url)
const source = new URL('../src/cli/bin.ts', import.meta.url)

if (Number(process.versions.node.split('.')[0]) < 20) {
  console.error(`cms-run: needs Node 20 or newer, this is ${process.version}`)
  process.exit(1)
}
if (existsSync(source) && process.env.CMS_RUN_BUILT !== '1') {
  const { register } = await import('tsx/esm/api')
  register()
  await import(source.href)
} else {
  await import(built.href)
}
