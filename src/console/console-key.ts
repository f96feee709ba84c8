// Stores the console's key outside the project, in a file that only its owner may read, so that open pages
// keep working after a restart in development.

import { createHash, randomBytes } from 'node:crypto'
import { lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

const FORM = /^[\w-]{32}$/
/** Permissions of a group and of others. */
const NOT_OWNER = 0o077

export function makeConsoleKey(): string {
  return randomBytes(24).toString('base64url')
}

/** Returns a new key if it cannot be stored. */
export function keepConsoleKey(configFile: string, env: Environment): string {
  const key = makeConsoleKey()
  const folder = cacheFolder(env)
  const name = createHash('sha256').update(resolve(configFile)).digest('hex').slice(0, 32)
  const file = join(folder, `${name}.key`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    // Of two starts at once the second reads the key of the first.
    writeFileSync(file, key, { mode: 0o600, flag: 'wx' })
    return key
  } catch (error) {
    const isKept = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    return (isKept ? readKey(file) : undefined) ?? key
  }
}

/** Undefined if another user may have read or written it. */
function readKey(file: string): string | undefined {
  try {
    const stat = lstatSync(file)
    const isOwn =
      process.platform === 'win32' || (stat.uid === process.getuid?.() && (stat.mode & NOT_OWNER) === 0)
    const key = stat.isFile() && isOwn ? readFileSync(file, 'utf8') : ''
    return FORM.test(key) ? key : undefined
  } catch {
    return undefined
  }
}

function cacheFolder(env: Environment): string {
  const own = process.platform === 'win32' ? env['LOCALAPPDATA'] : env['XDG_CACHE_HOME']
  return join(own || join(homedir(), '.cache'), 'cms-run')
}
