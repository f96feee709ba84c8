// Makes a folder of incoming files for each process, so that a starting process recognizes files of dead
// ones. Processes may share the place, even on several machines.

import { createHash } from 'node:crypto'
import { type Dirent, readlinkSync } from 'node:fs'
import { lstat, mkdir, readdir, rm, rmdir } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'

/** Milliseconds after which files of a process that cannot be checked count as abandoned. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000

/** One per user: in a directory that everybody may write to, a shared name could be another user's folder. */
export const TEMPORARY_SPOOL = join(tmpdir(), `cms-run-uploads-${process.getuid?.() ?? 'here'}`)

/** Process ids are comparable only within one machine and, in containers, one namespace. */
const NEIGHBOURS = createHash('sha256').update(`${hostname()}\0${pidNamespace()}`).digest('hex').slice(0, 12)
export const OWN_FOLDER = `${NEIGHBOURS}-${process.pid}`
const STARTED = Date.now() - process.uptime() * 1000

export async function spoolFolder(base: string): Promise<string> {
  await mkdir(base, { recursive: true, mode: base === TEMPORARY_SPOOL ? 0o700 : 0o777 })
  if (base === TEMPORARY_SPOOL) await assertOwn(base)
  const folder = join(base, OWN_FOLDER)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return folder
}

/** Removes files of ended processes, but never a file that may still be written to. */
export async function sweepSpools(base: string, now: number): Promise<void> {
  for (const entry of await readEntries(base)) {
    const path = join(base, entry.name)
    if (!entry.isDirectory()) {
      await removeBefore(path, now - MAX_AGE_MS)
      continue
    }
    const before = getAbandonedBefore(entry.name, now)
    if (before === undefined) continue
    if (before === Number.POSITIVE_INFINITY) {
      await rm(path, { recursive: true, force: true })
      continue
    }
    for (const file of await readEntries(path)) await removeBefore(join(path, file.name), before)
    if (entry.name !== OWN_FOLDER) await rmdir(path).catch(() => undefined)
  }
}

/** The time before which files in a process's folder are abandoned; undefined for other folders. */
export function getAbandonedBefore(name: string, now: number): number | undefined {
  const [, neighbours, pid] = /^([0-9a-f]{12})-(\d{1,10})$/.exec(name) ?? []
  if (neighbours === undefined || pid === undefined) return undefined
  // Older files in this process's own folder are from a dead process with the same id.
  if (name === OWN_FOLDER) return STARTED
  const isGone = neighbours === NEIGHBOURS && !isAlive(Number(pid))
  return isGone ? Number.POSITIVE_INFINITY : now - MAX_AGE_MS
}

async function removeBefore(path: string, time: number): Promise<void> {
  const found = await lstat(path).catch(() => undefined)
  if (found?.isFile() === true && found.mtimeMs < time) await rm(path, { force: true })
}

async function readEntries(folder: string): Promise<readonly Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => [])
}

/** True in doubt. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}

async function assertOwn(folder: string): Promise<void> {
  const found = await lstat(folder)
  // Windows has no such owners and modes: every folder seems to be open to all. The temporary folder is the
  // user's own there.
  const mine = process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o022) === 0)
  if (found.isDirectory() && mine) return
  throw new Error(`${folder} is not a folder of this user alone: files are not kept there`)
}
