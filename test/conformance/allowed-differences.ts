// How exactly our answers differ where a ruling lets them: `allowed/<area>.json`, each deviating case with its differences
// as `compare.ts` tells them. What is not listed is equal to what was recorded. `show-differences.ts --allow` rewrites an
// area's file; then read every line.

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Allowed = Readonly<Record<string, readonly string[]>>

const read = new Map<string, Allowed>()

function allowedIn(folder: string, area: string): Allowed {
  const file = join(folder, `${area}.json`)
  const known =
    read.get(file) ?? (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Allowed) : {})
  read.set(file, known)
  return known
}

/** Behind the id of a case that is answered otherwise over a socket, or is only sent there. */
const OVER_SOCKET = ' over socket'

export function isAllowed(folder: string, area: string, id: string, differences: readonly string[]): boolean {
  const allowed = allowedIn(folder, area)
  return [allowed[id], allowed[`${id}${OVER_SOCKET}`]].some(
    (lines) =>
      lines?.length === differences.length && lines.every((line, index) => line === differences[index]),
  )
}

/** The cases of an area that are allowed to differ. */
export function allowedCases(folder: string, area: string): ReadonlySet<string> {
  return new Set(Object.keys(allowedIn(folder, area)).map((key) => key.replace(OVER_SOCKET, '')))
}

/** `overSocket`: those that differ in another way there. */
export function linesToAllow(
  overFetch: ReadonlyMap<string, readonly string[]>,
  overSocket: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, readonly string[]> {
  const lines = new Map(overFetch)
  for (const [id, differences] of overSocket) {
    if (lines.get(id)?.join('\n') !== differences.join('\n')) lines.set(`${id}${OVER_SOCKET}`, differences)
  }
  return lines
}

export function writeAllowed(
  folder: string,
  area: string,
  cases: ReadonlyMap<string, readonly string[]>,
): void {
  const file = join(folder, `${area}.json`)
  if (cases.size === 0) rmSync(file, { force: true })
  else writeFileSync(file, `${JSON.stringify(Object.fromEntries(cases), undefined, 2)}\n`)
}
