// Reads the version from the nearest package.json above: the sources and the bundle are at different depths.

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { exitCodes } from './exit-codes.ts'
import type { Invocation } from './invocation.ts'

export function printVersion({ io }: Invocation): number {
  io.out(`${version()}\n`)
  return exitCodes.ok
}

export function version(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    try {
      const { name, version: found } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
        name: string
        version: string
      }
      if (name === 'cms-run') return found
    } catch {
      // No package.json here: try the parent folder.
    }
    if (dirname(folder) === folder) return 'unknown'
  }
}
