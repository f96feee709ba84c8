// A page of the documentation as a reader goes through it: blocks of YAML are added to cms.yaml, files are written,
// commands are run, and answers are compared with what the page shows.

import { isMap, parseDocument } from 'yaml'

/** A fenced block, in the order of the page. */
export interface Block {
  readonly language: string
  readonly text: string
  readonly line: number
}

export function blocksOf(page: string): readonly Block[] {
  return [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(
    ({ 1: language = '', 2: text = '', index }) => ({
      language,
      text,
      line: page.slice(0, index).split('\n').length,
    }),
  )
}

export interface CurlRequest {
  readonly path: string
  readonly init: RequestInit & { readonly headers: Record<string, string> }
}

/** Lines of a block of shell commands, with those that end with `\` joined. */
export function commandsOf(text: string): readonly string[] {
  return text
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line !== '')
}

/** A call of curl with the flags that pages use: -g, -X, -H, -d, --json. `variables` are those of the shell. */
export function curlRequest(command: string, variables: ReadonlyMap<string, string>): CurlRequest {
  const [, ...words] = shellWords(command, variables)
  const headers: Record<string, string> = {}
  let url: string | undefined
  let method: string | undefined
  let body: string | undefined
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ''
    const value = (): string => words[++index] ?? ''
    if (word === '-g') continue
    if (word === '-X') method = value()
    else if (word === '-H') {
      const [name = '', content = ''] = value().split(/: (.*)/s)
      headers[name.toLowerCase()] = content
    } else if (word === '-d') body = value()
    else if (word === '--json') {
      body = value()
      headers['content-type'] = 'application/json'
    } else if (word.startsWith('-') || url !== undefined) throw new Error(`not read: ${word} of ${command}`)
    else url = word
  }
  const path = /^(?:http:\/\/)?localhost:1337(\/.*)$/.exec(url ?? '')?.[1]
  if (path === undefined) throw new Error(`no address of the server: ${command}`)
  const sent = body === undefined ? {} : { body }
  return { path, init: { method: method ?? (body === undefined ? 'GET' : 'POST'), headers, ...sent } }
}

function shellWords(command: string, variables: ReadonlyMap<string, string>): readonly string[] {
  const words = command.match(/(?:'[^']*'|"(?:[^"\\]|\\.)*"|[^\s'"])+/g) ?? []
  const open = (text: string): string =>
    text.replaceAll(/\$(\w+)/g, (_, name: string) => variables.get(name) ?? '').replaceAll(/\\(.)/g, '$1')
  return words.map((word) =>
    word.replaceAll(
      /'([^']*)'|"((?:[^"\\]|\\.)*)"/g,
      (_, plain?: string, quoted?: string) => plain ?? open(quoted ?? ''),
    ),
  )
}

/** An answer of a page, where `…` stands for what is not shown, as `mismatches` takes it. */
export function expectedAnswer(text: string): unknown {
  return JSON.parse(
    text
      .replaceAll('"…"', '"<any>"')
      .replaceAll(/: …/g, ': "<any>"')
      .replaceAll(/([{,]\s*)…(\s*})/g, '$1"...": true$2'),
  )
}

/**
 * A file with a block of the page added, as a reader adds it: new keys come last in their map, values with a key that is
 * there take its place, and maps over several lines are merged.
 */
export function addedToYaml(file: string, block: string): string {
  if (file === '') return block
  const document = parseDocument(file)
  merge(document.contents, parseDocument(block).contents)
  // People write lists without the blanks that they put into maps.
  return document.toString({ lineWidth: 0 }).replaceAll(/\[ (.*?) \]/g, '[$1]')
}

function merge(base: unknown, added: unknown): void {
  if (!isMap(base) || !isMap(added)) throw new Error('a block of YAML is a map')
  for (const { key, value } of added.items) {
    const there = base.get(key, true)
    if (isMap(there) && isMap(value) && value.flow !== true) merge(there, value)
    else base.set(key, value)
  }
}
