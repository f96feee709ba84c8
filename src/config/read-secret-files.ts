// Reads secrets from files: `${file:path}`, and `NAME_FILE` if the variable `NAME` is not set, as container
// images do (`JWT_SECRET_FILE=/run/secrets/jwt`).

import { resolve } from 'node:path'
import { readRegularFile } from '../lib/read-regular-file.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Keyed by `NAME` for a variable, `file:path` otherwise. */
export type SecretFiles = ReadonlyMap<string, SecretFile>

type SecretFile =
  | { readonly path: string; readonly written: string; readonly text: string }
  | { readonly path: string; readonly written: string; readonly reason: string }

const MAX_FILE_BYTES = 64 * 1024
const MAX_FILES = 1000

const REFERENCE = /\$\$\{|\$\{(?:(file:[^}]*?)(?::-[^}]*)?|([A-Za-z_]\w*)(?::[-?][^}]*)?)\}/g

/** Never throws. */
export async function readSecretFiles(
  value: unknown,
  env: Environment,
  directory: string,
): Promise<SecretFiles> {
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
