// Computes how many connections the limit of open files allows. At that limit, uWebSockets.js would retry
// `accept` in a busy loop, and opening files would fail.

import { closeSync, openSync, readFileSync } from 'node:fs'
import { devNull } from 'node:os'

/**
 * Descriptors kept free for files, the database and connections between two checks: about a quarter, at most
 * this many.
 */
const MAX_RESERVE = 1024
/** The system's queue of pending connections, all of which are accepted in one go. */
const BACKLOG = 512

/**
 * The descriptor number at which no more connections are accepted; undefined when the limit is unknown or
 * unset.
 */
export function getFullAt(connections: number | undefined): number | undefined {
  const limit = openFilesLimit()
  const byLimit = limit === undefined ? Number.POSITIVE_INFINITY : limit - getReserve(limit)
  const byChoice = connections === undefined ? Number.POSITIVE_INFINITY : getLowestFree() + connections
  const full = Math.min(byLimit, byChoice)
  return Number.isFinite(full) ? full : undefined
}

function getReserve(limit: number): number {
  return Math.min(Math.max(limit / 4, Math.min(BACKLOG, limit / 2)), MAX_RESERVE)
}

export function countConnectionsLeft(connections: number | undefined): number {
  const full = getFullAt(connections)
  return full === undefined ? Number.POSITIVE_INFINITY : Math.max(full - getLowestFree(), 1)
}

/** The number of last connections that close after their response, so that /_health stays reachable. */
export function countLastConnections(connections: number): number {
  return Math.max(1, Math.min(32, Math.floor(connections / 8)))
}

/** The system assigns the lowest free descriptor, so at least as many as its number are in use. */
export function getLowestFree(): number {
  try {
    const descriptor = openSync(devNull, 'r')
    closeSync(descriptor)
    return descriptor
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

function openFilesLimit(): number | undefined {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined ? undefined : Number(soft)
  } catch {
    return undefined
  }
}
