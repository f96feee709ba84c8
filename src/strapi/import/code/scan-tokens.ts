// Splits JavaScript as esbuild prints it (no types, no templates) into tokens.

export interface Token {
  readonly kind: 'name' | 'number' | 'string' | 'regex' | 'sign'
  readonly text: string
  readonly at: number
}

const MAX_TOKENS = 200_000
const BLANK = /(?:\s+|\/\/.*|\/\*[\s\S]*?\*\/)+/y
const PATTERNS = {
  string: /"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'/y,
  name: /[\p{ID_Start}$_#][\p{ID_Continue}$\u200c\u200d]*/uy,
  number: /\.?\d[\w.]*/y,
  regex: /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y,
  sign: /=>|\.\.\.|[^"'`/]/y,
} as const
/** Words after which a slash begins a regular expression. */
const BEFORE_REGEX = /^(?:return|typeof|case|in|of|do|else|void|delete|throw|new|instanceof|await|yield)$/

/** Undefined for a text that is too long or ambiguous. */
export function scanTokens(code: string): readonly Token[] | undefined {
  const tokens: Token[] = []
  for (let at = 0; at < code.length; ) {
    const blank = matchAt(BLANK, code, at)
    at += blank.length
    if (at >= code.length) break
    const token = tokenAt(code, at, tokens.at(-1))
    if (token === undefined || tokens.length >= MAX_TOKENS) return undefined
    const { kind, text } = token
    tokens.push({ kind, text: kind === 'string' ? getContent(text) : text, at })
    at += text.length
  }
  return tokens
}

function tokenAt(
  code: string,
  at: number,
  before: Token | undefined,
): Pick<Token, 'kind' | 'text'> | undefined {
  if (code[at] === '/') {
    const text = beginsRegex(before) ? matchAt(PATTERNS.regex, code, at) : '/'
    return text === '' ? undefined : { kind: text === '/' ? 'sign' : 'regex', text }
  }
  for (const kind of ['string', 'name', 'number', 'sign'] as const) {
    const text = matchAt(PATTERNS[kind], code, at)
    if (text !== '') return { kind, text }
  }
  return undefined
}

function matchAt(pattern: RegExp, code: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(code)?.[0] ?? ''
}

/** After `)` and `}` a slash counts as a division. */
function beginsRegex(before: Token | undefined): boolean {
  if (before === undefined) return true
  if (before.kind === 'name') return BEFORE_REGEX.test(before.text)
  return before.kind === 'sign' && !/^[)\]}]$/.test(before.text)
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  '0': '\0',
}

function getContent(written: string): string {
  return written
    .slice(1, -1)
    .replace(
      /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|([\s\S]))/gi,
      (_, two?: string, four?: string, six?: string, one = '') => {
        const code = two ?? four ?? six
        return code === undefined ? (ESCAPES[one] ?? one) : String.fromCodePoint(Number.parseInt(code, 16))
      },
    )
}

export function isSign({ kind, text }: Token, ...signs: readonly string[]): boolean {
  return kind === 'sign' && signs.includes(text)
}
