// Reads a regular file, or returns one line why not. Others are not opened: a pipe blocks a thread until it
// has a writer, and a device can have side effects.

import { constants } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'

export interface NotRead {
  readonly ok: false
  readonly reason: string
  readonly missing: boolean
}

type FileRead = { readonly ok: true; readonly bytes: Buffer } | NotRead

export type OpenedFile = { readonly ok: true; readonly handle: FileHandle; readonly size: number } | NotRead

/** Never throws. `limit` in bytes. */
export async function readRegularFile(path: string, limit: number): Promise<FileRead> {
  const opened = await openRegularFile(path)
  if (!opened.ok) return opened
  const { handle, size } = opened
  try {
    if (size > limit) return refused(`it is larger than ${sizeText(limit)}`)
    return { ok: true, bytes: await handle.readFile() }
  } catch (error) {
    return failed(error)
  } finally {
    await handle.close()
  }
}

/** Never throws. The caller has to close the handle. */
export async function openRegularFile(path: string): Promise<OpenedFile> {
  try {
    const before = kindFault(await stat(path))
    if (before !== undefined) return before
    // The path may have changed since: O_NONBLOCK avoids waiting for a pipe, and the opened file is checked again.
    const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const found = await handle.stat().catch(async (error: unknown) => {
      await handle.close()
      throw error
    })
    const fault = kindFault(found)
    if (fault === undefined) return { ok: true, handle, size: found.size }
    await handle.close()
    return fault
  } catch (error) {
    return failed(error)
  }
}

interface Kind {
  isDirectory(): boolean
  isFile(): boolean
}

function kindFault(found: Kind): NotRead | undefined {
  if (found.isDirectory()) return refused('it is a directory')
  return found.isFile() ? undefined : refused('it is not a regular file')
}

function failed(error: unknown): NotRead {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
  return { ok: false, reason: reasons[code] ?? code, missing: code === 'ENOENT' || code === 'ENOTDIR' }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'its symbolic links lead in a circle',
  EISDIR: 'it is a directory',
  ENXIO: 'it is not a regular file',
}

function refused(reason: string): NotRead {
  return { ok: false, reason, missing: false }
}

function sizeText(bytes: number): string {
  return bytes < 1024 * 1024 ? `${bytes / 1024} KB` : `${Math.floor(bytes / 1024 / 1024)} MB`
}
