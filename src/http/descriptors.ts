// How many connections the process's limit of open files leaves room for. At that limit uWebSockets.js would try to
// accept again and again at full speed, and no file could be opened any more.

import { closeSync, openSync, readFileSync } from 'node:fs'
import { devNull } from 'node:os'

/** Of the limit, what stays for files, the database and what comes between two looks: a quarter, within bounds. */
const MOST_RESERVE = 1024
/** Connections that the system keeps ready, which are all accepted in one go. */
const BACKLOG = 512

/** The descriptor number from which on no more connections are taken; undefined where nothing is known or asked. */
export function fullAt(connections: number | undefined): number | undefined {
  const limit = openFilesLimit()
  const byLimit = limit === undefined ? Number.POSITIVE_INFINITY : limit - reserveOf(limit)
  const byChoice = connections === undefined ? Number.POSITIVE_INFINITY : lowestFree() + connections
  const full = Math.min(byLimit, byChoice)
  return Number.isFinite(full) ? full : undefined
}

function reserveOf(limit: number): number {
  return Math.min(Math.max(limit / 4, Math.min(BACKLOG, limit / 2)), MOST_RESERVE)
}

/** Descriptors are given out from the lowest free one: as many as its number are in use, at least. */
export function lowestFree(): number {
  try {
    const descriptor = openSync(devNull, 'r')
    closeSync(descriptor)
    return descriptor
  } catch {
    // None is left.
    return Number.POSITIVE_INFINITY
  }
}

/** Undefined where the system does not say. */
function openFilesLimit(): number | undefined {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined ? undefined : Number(soft)
  } catch {
    return undefined
  }
}
