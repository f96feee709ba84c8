// A source map with a mapping for each line of the sources instead of each token: a stack trace needs no more, and it is a
// quarter of the size.

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

interface SourceMap {
  readonly sources: readonly string[]
  readonly mappings: string
}

/**
 * Takes and gives JSON. Every position in a file of ours leads to the same file and line as before, and to the first column
 * that is known; positions in libraries lead nowhere.
 */
export function thinSourceMap(json: string): string {
  const map = JSON.parse(json) as SourceMap
  const own = map.sources.flatMap((source, index) => (source.includes('node_modules/') ? [] : [index]))
  const indexOf = new Map(own.map((before, after) => [before, after]))
  // Fields are written as differences to those of the segment before: column, source, line, column there.
  const read: Segment = [0, 0, 0, 0]
  const written: Segment = [0, 0, 0, 0]
  const mappings = map.mappings.split(';').map((line) => {
    read[0] = 0
    written[0] = 0
    let last: string | undefined
    const kept: string[] = []
    for (const segment of line === '' ? [] : line.split(',')) {
      numbersOf(segment)
        .slice(0, 4)
        .forEach((difference, field) => {
          read[field] = (read[field] ?? 0) + difference
        })
      const source = indexOf.get(read[1] ?? 0)
      const origin = source === undefined ? '' : `${source}:${read[2]}`
      if (origin === last) continue
      last = origin
      const next: Segment = source === undefined ? [read[0]] : [read[0], source, read[2] ?? 0, read[3] ?? 0]
      kept.push(next.map((value, field) => textOf(value - (written[field] ?? 0))).join(''))
      written.splice(0, next.length, ...next)
    }
    return kept.join(',')
  })
  const sources = own.map((index) => map.sources[index])
  return JSON.stringify({ ...map, sources, names: [], mappings: mappings.join(';') })
}

type Segment = [column: number, ...origin: number[]]

/** Numbers of a segment in base 64, five bits a digit, the sign in the lowest bit. */
function numbersOf(segment: string): readonly number[] {
  const numbers: number[] = []
  let value = 0
  let shift = 0
  for (const char of segment) {
    const digit = DIGITS.indexOf(char)
    value |= (digit & 31) << shift
    shift += 5
    if (digit & 32) continue
    numbers.push(value & 1 ? -(value >> 1) : value >> 1)
    value = 0
    shift = 0
  }
  return numbers
}

function textOf(number: number): string {
  let rest = number < 0 ? (-number << 1) | 1 : number << 1
  let text = ''
  do {
    const digit = rest & 31
    rest >>= 5
    text += DIGITS[rest > 0 ? digit | 32 : digit]
  } while (rest > 0)
  return text
}
