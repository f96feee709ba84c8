// Parses an archive entry of JSON lines into objects, one at a time.

import type { TarEntry } from '../archive/read-tar.ts'
import { isRecord } from '../util/is-record.ts'
import { type Json, StrapiFault } from './strapi-source.ts'

/** Characters of one line: an entry with all its components. */
const MOST_LINE = 64 * 1024 * 1024

export async function* jsonLines(entry: TarEntry): AsyncGenerator<Json> {
  const decoder = new TextDecoder('utf-8')
  let rest = ''
  let number = 0
  const parsed = function* (lines: readonly string[]): Generator<Json> {
    for (const line of lines) {
      number += 1
      if (line.trim() !== '') yield parse(line, `${entry.name}, line ${number}`)
    }
  }
  for await (const chunk of entry.chunks()) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > MOST_LINE)
      throw new StrapiFault(`${entry.name} has a line longer than ${MOST_LINE} characters`)
    yield* parsed(lines)
  }
  yield* parsed([rest + decoder.decode()])
}

function parse(line: string, place: string): Json {
  try {
    const value: unknown = JSON.parse(line)
    if (isRecord(value)) return value
  } catch {
    // Reported below.
  }
  throw new StrapiFault(`${place} is not a JSON object`)
}
