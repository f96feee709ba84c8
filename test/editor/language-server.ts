// Drives yaml-language-server, which editors run for YAML files, over its standard input and output: JSON-RPC with a
// `Content-Length` before each message (the Language Server Protocol).

import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

export interface LanguageServer {
  /** The labels of the completion at the mark `|` of a text, which is taken out. */
  complete(text: string): Promise<readonly string[]>
  /** What the editor shows of the word at the mark; empty when there is nothing. */
  hover(text: string): Promise<string>
  /** The messages of the faults that the editor underlines. */
  faults(text: string): Promise<readonly string[]>
  close(): Promise<void>
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: unknown
  readonly result?: unknown
}

/** `schema`: the file of the schema that every text is checked against. */
export async function startLanguageServer(schema: string): Promise<LanguageServer> {
  const manifest = createRequire(import.meta.url).resolve('yaml-language-server/package.json')
  const program = join(dirname(manifest), 'bin/yaml-language-server')
  const child = spawn(process.execPath, [program, '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting = new Map<number, (result: unknown) => void>()
  const watching = new Map<string, (params: { diagnostics: { message: string }[] }) => void>()
  let buffer = Buffer.alloc(0)
  let last = 0

  function send(message: object): void {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
  function request(method: string, params: unknown): Promise<unknown> {
    last += 1
    const id = last
    const answered = new Promise((resolve) => waiting.set(id, resolve))
    send({ id, method, params })
    return answered
  }
  let configure: () => void = () => {}
  const configured = new Promise<void>((resolve) => {
    configure = resolve
  })
  function receive(message: Message): void {
    const { id, method, params, result } = message
    if (method === undefined) waiting.get(Number(id))?.(result)
    else if (method === 'textDocument/publishDiagnostics') {
      const given = params as { uri: string; diagnostics: { message: string }[] }
      watching.get(given.uri)?.(given)
    } else if (id !== undefined) {
      send({ id, result: answerTo(method, params, schema) })
      if (method === 'workspace/configuration') configure()
    }
  }
  child.stdout.on('data', (chunk: Buffer) => {
    buffer = Buffer.concat([buffer, chunk])
    for (;;) {
      const split = buffer.indexOf('\r\n\r\n')
      const length = Number(
        /Content-Length: (\d+)/i.exec(buffer.subarray(0, Math.max(0, split)).toString())?.[1],
      )
      if (split < 0 || buffer.length < split + 4 + length) return
      const body = buffer.subarray(split + 4, split + 4 + length).toString()
      buffer = buffer.subarray(split + 4 + length)
      receive(JSON.parse(body))
    }
  })

  await request('initialize', {
    processId: process.pid,
    rootUri: null,
    capabilities: {
      workspace: { configuration: true },
      textDocument: { hover: { contentFormat: ['markdown'] } },
    },
  })
  send({ method: 'initialized', params: {} })
  send({ method: 'workspace/didChangeConfiguration', params: { settings: settings(schema) } })

  await configured

  let opened = 0
  /** Opens the text as a file of its own, and says where the mark was. */
  function open(text: string) {
    opened += 1
    const uri = `file:///try/${opened}.yaml`
    const before = text.slice(0, Math.max(0, text.indexOf('|')))
    const position = {
      line: before.split('\n').length - 1,
      character: before.length - before.lastIndexOf('\n') - 1,
    }
    const plain = text.replace('|', '')
    const document = { uri, languageId: 'yaml', version: 1, text: plain }
    send({ method: 'textDocument/didOpen', params: { textDocument: document } })
    return { uri, at: { textDocument: { uri }, position } }
  }

  async function complete(text: string): Promise<readonly string[]> {
    const { at } = open(text)
    const answer = (await request('textDocument/completion', at)) as { items: { label: string }[] }
    return answer.items.map(({ label }) => label)
  }

  // The settings are there once it knows the schema.
  while ((await complete('server:\n  |\n')).length < 2);
  return {
    complete,
    async hover(text) {
      const { at } = open(text)
      const answer = (await request('textDocument/hover', at)) as { contents?: { value?: string } } | null
      return answer?.contents?.value ?? ''
    },
    faults(text) {
      return new Promise((resolve) => {
        const uri = `file:///try/${opened + 1}.yaml`
        watching.set(uri, ({ diagnostics }) => resolve(diagnostics.map(({ message }) => message)))
        open(text)
      })
    },
    close() {
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
      child.kill()
      return ended
    },
  }
}

function settings(schema: string) {
  return {
    yaml: {
      schemas: { [pathToFileURL(schema).href]: ['*.yaml'] },
      schemaStore: { enable: false },
      completion: true,
      hover: true,
      validate: true,
    },
  }
}

/** The server asks for its settings section by section. */
function answerTo(method: string, params: unknown, schema: string): unknown {
  if (method !== 'workspace/configuration') return null
  const { items } = params as { items: { section?: string }[] }
  return items.map(({ section }) => (section === 'yaml' ? settings(schema).yaml : null))
}
