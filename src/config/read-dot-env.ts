// The environment a configuration sees: `.env` beside the file, and the real environment over it.

import { join } from 'node:path'
import { parseEnv } from 'node:util'
import type { Diagnostic } from '../errors/diagnostic.ts'
import { readRegularFile } from '../util/read-regular-file.ts'
import type { Environment } from './interpolate-env.ts'

export interface DotEnv {
  readonly env: Environment
  /** The `.env` file, whether it exists or not: a watcher looks at it. */
  readonly file: string
  readonly text: string
  readonly diagnostics: readonly Diagnostic[]
}

const largest = 1024 * 1024

/** `process.env` stays as it is. */
export async function readDotEnv(directory: string, real: Environment): Promise<DotEnv> {
  const file = join(directory, '.env')
  const read = await readRegularFile(file, largest)
  if (read.ok) {
    const text = new TextDecoder().decode(read.bytes)
    return { env: { ...parseEnv(text), ...present(real) }, file, text, diagnostics: [] }
  }
  const diagnostics: readonly Diagnostic[] = read.missing
    ? []
    : [{ code: 'CFG042', severity: 'warning', path: [], message: `.env cannot be read: ${read.reason}` }]
  return { env: real, file, text: '', diagnostics }
}

function present(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined))
}
