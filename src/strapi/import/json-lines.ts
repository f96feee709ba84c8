// Parses an archive entry of JSON lines into objects, one at a time.

import { isRecord } from '../../lib/is-record.ts'
import type { TarEntry } from '../../storage/archive/read-tar.ts'
import { type Json, StrapiFault } from './strapi-source.ts'

/** Characters of one line: an entry with all its components. */
const MAX_CHARACTERS = 64 * 1024 * 1024
/** The depth of one line, which is converted to rows by recursion. */
const MAX_LEVELS = 500

export async function* readJsonLines(entry: TarEntry): AsyncGenerator<Json> {
  const decoder = new TextDecoder('utf-8')
  let pieces: string[] = []
  let length = 0
  let number = 0
  const parsed = function* (text: string): Generator<Json> {
    const [first = '', ...others] = text.split('\n')
    pieces.push(first)
    length += first.length
    for (const next of others) {
      yield* ended()
      pieces = [next]
      length = next.length
    }
    if (length > MAX_CHARACTERS)
      throw new StrapiFault(`${entry.name} has a line longer than ${MAX_CHARACTERS} characters`)
  }
  const ended = function* (): Generator<Json> {
    const line = pieces.join('')
    number += 1
    if (line.trim() !== '') yield parse(line, `${entry.name}, line ${number}`)
  }
  for await (const chunk of entry.chunks()) yield* parsed(decoder.decode(chunk, { stream: true }))
  yield* parsed(decoder.decode())
  yield* ended()
}

function parse(line: string, place: string): Json {
  try {
    const value: unknown = JSON.parse(line)
    if (isRecord(value) && !isDeeperThan(value, MAX_LEVELS)) return value
  } catch {}
  throw new StrapiFault(`${place} is not a JSON object of at most ${MAX_LEVELS} levels`)
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((one) => isDeeperThan(one, levels - 1))
}
