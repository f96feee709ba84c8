// The one trap of a test file: canaries go in as configurations and entries are made, everything that leaves is
// searched, and what was found fails the test that was running.

import { isSecretPath } from '../../../src/config/secret-paths.ts'
import type { Schema } from '../../../src/model/content-type.ts'
import { type CanaryIndex, createCanaryIndex } from './canary-index.ts'

export interface Leak {
  readonly where: string
  readonly canaries: readonly string[]
}

interface Trap {
  canaries: CanaryIndex
  readonly leaks: Leak[]
  searched: { places: Record<string, number>; bytes: number }
}

const KEY = Symbol.for('cms-run.taint')

/** One for the process, however often this file is loaded in it. */
function trap(): Trap {
  const home = globalThis as { [KEY]?: Trap }
  home[KEY] ??= { canaries: createCanaryIndex(), leaks: [], searched: { places: {}, bytes: 0 } }
  return home[KEY]
}

/** For the next test file of this process. */
export function emptyTrap(): void {
  Object.assign(trap(), { canaries: createCanaryIndex(), searched: { places: {}, bytes: 0 } })
  takeLeaks()
}

/** Must never leave from now on. */
export function addCanary(value: string, label: string): void {
  trap().canaries.add(value, label)
}

/** Something leaves. */
export function search(where: string, content: string | Uint8Array): void {
  const { canaries, leaks, searched } = trap()
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  searched.places[where] = (searched.places[where] ?? 0) + 1
  searched.bytes += bytes.length
  const found = canaries.find(bytes)
  if (found.length > 0) leaks.push({ where, canaries: found })
}

/** What was found since the last time. */
export function takeLeaks(): readonly Leak[] {
  return trap().leaks.splice(0)
}

export function searched(): Trap['searched'] {
  return trap().searched
}

/** The secrets of a configuration, by their places. */
export function addSecretsOf(value: unknown, path: readonly (string | number)[] = []): void {
  if (typeof value === 'string') {
    if (isSecretPath(path) && path[0] !== 'database') addCanary(value, path.join('.'))
    return
  }
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    addSecretsOf(inner, [...path, Array.isArray(value) ? Number(key) : key])
  }
}

/** The private values of an entry that is written. */
export function addPrivateOf(holder: Schema, data: unknown): void {
  if (typeof data !== 'object' || data === null) return
  for (const [name, value] of Object.entries(data)) {
    const attribute = holder.attributes.get(name)
    const secret =
      attribute?.private === true || (attribute?.kind === 'scalar' && attribute.type === 'password')
    if (typeof value === 'string' && secret) addCanary(value, `${holder.uid}.${name}`)
  }
}
