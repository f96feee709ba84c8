// The environment a configuration sees: `.env` beside the file, and the real environment over it.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import type { Diagnostic } from '../errors/diagnostic.ts'
import type { Environment } from './interpolate-env.ts'

export interface DotEnv {
  readonly env: Environment
  /** The `.env` file, whether it exists or not: a watcher looks at it. */
  readonly file: string
  readonly diagnostics: readonly Diagnostic[]
}

/** `process.env` stays as it is. */
export async function readDotEnv(directory: string, real: Environment): Promise<DotEnv> {
  const file = join(directory, '.env')
  try {
    return { env: { ...parseEnv(await readFile(file, 'utf8')), ...real }, file, diagnostics: [] }
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return { env: real, file, diagnostics: [] }
    const message = `.env beside the file cannot be read (${codeOf(error)})`
    return { env: real, file, diagnostics: [{ code: 'CFG042', severity: 'warning', path: [], message }] }
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
}
