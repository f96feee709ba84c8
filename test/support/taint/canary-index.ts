// Values that must not leave -> found in whatever does, as they are and in the forms that code puts text into: JSON and
// HTML escapes, percent encoding, base64 of any alignment, hexadecimal digits, and each of these in the next.

/** Shorter texts, and those of fewer letters, stand in other words. */
const SHORTEST = 10
const FEWEST_LETTERS = 5

/** Bytes by which a needle is first recognized; every form of a canary has more. */
const PREFIX = 8

export interface CanaryIndex {
  readonly size: number
  /** What is too short or too plain to be known again is left out. `label`: what it is, for the report. */
  add(value: string, label: string): void
  /** Labels of the canaries in these bytes. */
  find(bytes: Uint8Array): readonly string[]
}

interface Needle {
  readonly bytes: Buffer
  readonly label: string
}

/** What is secret by its looks, whoever made it: hashes of passwords, and the codes that are sent by mail. */
const SHAPES: readonly (readonly [label: string, marker: string, shape: RegExp])[] = [
  ['an argon2 hash', '$argon2', /\$argon2(?:id|i|d)\$v=\d+\$/],
  ['a bcrypt hash', '$2', /\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}/],
  ['a code of a mail', '', /(?<![0-9a-f])[0-9a-f]{76}(?![0-9a-f])/],
]

/** Texts longer than this are searched as they are, not decoded. */
const MOST_DECODED = 2_000_000

export function createCanaryIndex(): CanaryIndex {
  const known = new Set<string>()
  /** By their first bytes; `starts` says at once for most bytes that nothing begins there. */
  const needles = new Map<string, Needle[]>()
  const starts = new Uint8Array(1 << 16)

  function addNeedle(text: string, label: string): void {
    const bytes = Buffer.from(text)
    if (bytes.length < PREFIX) return
    const key = bytes.toString('latin1', 0, PREFIX)
    const same = needles.get(key)
    if (same === undefined) needles.set(key, [{ bytes, label }])
    else same.push({ bytes, label })
    starts[((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0)] = 1
  }

  function search(bytes: Buffer, found: Set<string>): void {
    for (let at = 0; at + PREFIX <= bytes.length; at++) {
      if (starts[((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)] !== 1) continue
      for (const needle of needles.get(bytes.toString('latin1', at, at + PREFIX)) ?? []) {
        if (needle.bytes.equals(bytes.subarray(at, at + needle.bytes.length))) found.add(needle.label)
      }
    }
  }

  return {
    get size() {
      return known.size
    },
    add(value, label) {
      if (value.length < SHORTEST || new Set(value).size < FEWEST_LETTERS || known.has(value)) return
      known.add(value)
      for (const form of new Set(formsOf(value))) addNeedle(form, label)
    },
    find(input) {
      const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength)
      const found = new Set<string>()
      search(bytes, found)
      if (bytes.length > MOST_DECODED) return [...found]
      const texts = new Set([bytes.toString('latin1')])
      for (const text of texts) {
        for (const [label, marker, shape] of SHAPES)
          if (text.includes(marker) && shape.test(text)) found.add(label)
        if (texts.size > 4) continue
        for (const decode of [unescaped, unpercented]) {
          const decoded = decode(text)
          if (decoded !== text) {
            texts.add(decoded)
            search(Buffer.from(decoded, 'latin1'), found)
          }
        }
      }
      return [...found]
    },
  }
}

function* formsOf(value: string): Generator<string> {
  yield value
  yield JSON.stringify(value).slice(1, -1)
  yield value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
  const bytes = Buffer.from(value)
  yield bytes.toString('hex')
  yield bytes.toString('hex').toUpperCase()
  for (let shift = 0; shift < 3; shift++) {
    // What stands before and behind is not known: the characters that it has a part in are left out.
    const whole = Buffer.concat([Buffer.alloc(shift), bytes])
    const first = Math.ceil((shift * 8) / 6)
    const last = Math.floor((whole.length * 8) / 6)
    for (const encoding of ['base64', 'base64url'] as const) yield whole.toString(encoding).slice(first, last)
  }
}

/** `\u0041` and `\"` as JSON has them. */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|(["\\/]))/g, (_, code: string | undefined, itself: string) =>
    code === undefined
      ? itself
      : Buffer.from(String.fromCharCode(Number.parseInt(code, 16))).toString('latin1'),
  )
}

function unpercented(text: string): string {
  if (!text.includes('%')) return text
  return text
    .replaceAll('+', ' ')
    .replace(/%([0-9a-fA-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
