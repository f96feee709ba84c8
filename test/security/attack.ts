// A recorded attack and the bytes it sends. The format: `path`, `headers`, `body` with placeholders such as
// `${JWT_USER}`; `pathGen` and `bodyGen` repeat a piece; `bodyBase64` and `rawBase64` are bytes; `repeat` sends it so
// often, `${N}` counting.

export interface Attack {
  readonly id: string
  readonly class: string
  readonly method: string
  readonly path: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  readonly bodyBase64?: string
  readonly rawBase64?: string
  readonly bodyGen?: Generated
  readonly pathGen?: Generated
  readonly repeat?: number
  readonly expect: {
    readonly statusIn: readonly number[]
    readonly bodyMustNotContain: readonly string[]
    readonly bodyMustContain?: readonly string[]
    readonly headersMustContain?: readonly string[]
    readonly headersMustNotContain?: readonly string[]
    readonly sameAs?: string
    readonly after?: string
    readonly note: string
  }
}

interface Generated {
  readonly prefix: string
  readonly repeat: string
  readonly times: number
  readonly suffix: string
}

export type Placeholders = ReadonlyMap<string, string>

export function bytesOf(attack: Attack, placeholders: Placeholders, count: number): Uint8Array {
  if (attack.rawBase64 !== undefined) return Buffer.from(attack.rawBase64, 'base64')
  const fill = (text: string): string =>
    text.replace(/\$\{([A-Z_]+)\}/g, (whole, name: string) =>
      name === 'N' ? String(count) : (placeholders.get(name) ?? whole),
    )
  const path = fill(attack.pathGen === undefined ? (attack.path ?? '/') : generate(attack.pathGen))
  const body = bodyOf(attack, fill)
  const headers = Object.entries(attack.headers).map(([name, value]) => `${name}: ${fill(value)}`)
  if (!has(attack, 'host')) headers.unshift('host: localhost')
  if (body.length > 0 && !has(attack, 'content-length') && !has(attack, 'transfer-encoding')) {
    headers.push(`content-length: ${body.length}`)
  }
  return Buffer.concat([
    Buffer.from(`${attack.method} ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`),
    body,
  ])
}

function bodyOf(attack: Attack, fill: (text: string) => string): Buffer {
  if (attack.bodyBase64 !== undefined) return Buffer.from(attack.bodyBase64, 'base64')
  if (attack.bodyGen !== undefined) return Buffer.from(generate(attack.bodyGen))
  const { body } = attack
  return Buffer.from(body === null ? '' : fill(typeof body === 'string' ? body : JSON.stringify(body)))
}

/** As it is written in a piece that is repeated. */
const COUNT = ['$', '{i}'].join('')

function generate({ prefix, repeat, times, suffix }: Generated): string {
  // `${i}` in the piece counts.
  const pieces = Array.from({ length: times }, (_, index) => repeat.replaceAll(COUNT, String(index)))
  return `${prefix}${pieces.join('')}${suffix}`
}

function has(attack: Attack, header: string): boolean {
  return Object.keys(attack.headers).some((name) => name.toLowerCase() === header)
}
