// `cms-run version`.

import { ownPackage } from '../../lib/package-root.ts'
import type { Invocation } from '../invocation.ts'
import { exitCodes } from '../reporter.ts'

export function printVersion({ reporter }: Invocation): number {
  reporter.result({ version: version() }, `${version()}\n`)
  return exitCodes.ok
}

export function version(): string {
  return ownPackage().manifest.version
}
