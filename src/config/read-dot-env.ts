// Reads `.env` in the file's folder, overridden by the real environment.

import { join } from 'node:path'
import { parseEnv } from 'node:util'
import type { Diagnostic } from '../lib/errors/diagnostic.ts'
import { readRegularFile } from '../lib/read-regular-file.ts'
import type { Environment } from './interpolate-env.ts'

interface DotEnv {
  readonly env: Environment
  /** Set even if the file does not exist, because the file watch needs it. */
  readonly file: string
  readonly text: string
  readonly diagnostics: readonly Diagnostic[]
}

const largest = 1024 * 1024

/** Does not change `process.env`. */
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
