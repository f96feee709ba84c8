// Reads the files that hold secrets: those that `${file:path}` names, and for a variable that is not set, the one that
// the variable of the same name with `_FILE` names, as container images do (`JWT_SECRET_FILE=/run/secrets/jwt`).

import { resolve } from 'node:path'
import { readRegularFile } from '../lib/read-regular-file.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** By what names the file: `NAME` for a variable, `file:path` otherwise. */
export type SecretFiles = ReadonlyMap<string, SecretFile>

type SecretFile =
  | { readonly path: string; readonly written: string; readonly text: string }
  | { readonly path: string; readonly written: string; readonly reason: string }

/** Bytes of one file. */
const MAX_FILE_BYTES = 64 * 1024
/** Files of one configuration. */
const MAX_FILES = 1000

const REFERENCE = /\$\$\{|\$\{(?:(file:[^}]*?)(?::-[^}]*)?|([A-Za-z_]\w*)(?::[-?][^}]*)?)\}/g

/** Relative paths are resolved against `directory`. Never throws. */
export async function readSecretFiles(
  value: unknown,
  env: Environment,
  directory: string,
): Promise<SecretFiles> {
  /** The path as it is written. */
  const wanted = new Map<string, string>()
  collect(value, (text) => {
    for (const [, file, name] of text.matchAll(REFERENCE)) {
      if (wanted.size >= MAX_FILES) return
      if (file !== undefined) wanted.set(file, file.slice('file:'.length))
      const path = name === undefined || isSet(env, name) ? undefined : env[`${name}_FILE`]
      if (name !== undefined && path !== undefined && path !== '') wanted.set(name, path)
    }
  })
  const read = [...wanted].map(async ([name, written]) => {
    const path = resolve(directory, written)
    return [name, { path, written, ...(await readSecret(path)) }] as const
  })
  return new Map(await Promise.all(read))
}

function isSet(env: Environment, name: string): boolean {
  return Object.hasOwn(env, name) && env[name] !== undefined && env[name] !== ''
}

async function readSecret(path: string): Promise<{ readonly text: string } | { readonly reason: string }> {
  const read = await readRegularFile(path, MAX_FILE_BYTES)
  if (!read.ok) return { reason: read.reason }
  // Editors and `echo` end a file with a line break, which is not part of the secret.
  return { text: new TextDecoder().decode(read.bytes).replace(/\r?\n$/, '') }
}

function collect(value: unknown, visit: (text: string) => void): void {
  if (typeof value === 'string') {
    if (value.includes('${')) visit(value)
  } else if (typeof value === 'object' && value !== null) {
    for (const item of Object.values(value)) collect(item, visit)
  }
}
