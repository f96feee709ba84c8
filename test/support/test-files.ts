// Loading the sources anew takes as long as a small test file, so the files of some folders share the modules of a worker.

import { readdirSync, readFileSync } from 'node:fs'

/** Not those that start processes or measure: engines that are closed stay in a worker's memory. */
const SHARING = ['auth', 'client', 'customization', 'embedding', 'graphql', 'strapi', 'unit']

// These replace modules, or measure the process they run in.
const APART = /vi\.mock\(|record-statements|global-timers|memoryUsage/

export function listTestFiles(): { readonly shared: string[]; readonly apart: string[] } {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .map((name) => `test/${name.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.test.ts'))
  const shared = files.filter(
    (file) => SHARING.includes(file.split('/')[1] ?? '') && !APART.test(readFileSync(file, 'utf8')),
  )
  return { shared, apart: files.filter((file) => !shared.includes(file)) }
}
