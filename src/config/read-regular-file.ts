// A file's bytes, or one line why they cannot be had. A directory or a pipe is refused before it can block.

import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

export type FileRead =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly reason: string; readonly missing: boolean }

/** Never throws, and reads no file that is larger than `limit` bytes. */
export async function readRegularFile(path: string, limit: number): Promise<FileRead> {
  try {
    // Opening a named pipe would wait for its writer.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const stat = await file.stat()
      if (stat.isDirectory()) return refused('it is a directory')
      if (!stat.isFile()) return refused('it is not a regular file')
      if (stat.size > limit) return refused(`it is larger than ${Math.floor(limit / 1024 / 1024)} MB`)
      return { ok: true, bytes: await file.readFile() }
    } finally {
      await file.close()
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
    return { ok: false, reason: reasons[code] ?? code, missing: code === 'ENOENT' || code === 'ENOTDIR' }
  }
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

function refused(reason: string): FileRead {
  return { ok: false, reason, missing: false }
}
