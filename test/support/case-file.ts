// A case file -> its steps. One file is one behaviour: a title, a configuration, requests and the replies they get.
//
//   # title
//   config guide
//   POST /api/notes
//   content-type: application/json
//   {"data":{"text":"x"}}
//   ---- reply 200
//   {"data":{"id":1,"attributes":{"text":"x","...":true}},"...":true}
//   ---- never
//   secret

export interface CaseStep {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly status: number
  /** JSON text with placeholders, or undefined where the body is not compared. */
  readonly reply: string | undefined
  readonly replyHeaders: Readonly<Record<string, string>>
  /** Text that no part of the answer may hold. */
  readonly never: readonly string[]
}

export interface CaseFile {
  readonly title: string
  readonly config: string
  readonly steps: readonly CaseStep[]
}

const REQUEST = /^([A-Z]+) (\S+)$/
const SECTION = /^---- (reply (\d{3})|headers|never)$/

export function parseCase(text: string, name: string): CaseFile {
  const lines = text.replace(/\r/g, '').split('\n')
  const title = lines[0]?.startsWith('# ') ? lines[0].slice(2) : undefined
  const config = lines.find((line) => line.startsWith('config '))?.slice('config '.length)
  if (title === undefined || config === undefined)
    throw new Error(`${name}: needs "# title" and "config name"`)
  const starts = lines.flatMap((line, index) => (REQUEST.test(line) ? [index] : []))
  if (starts.length === 0) throw new Error(`${name}: no request`)
  const steps = starts.map((start, index) => parseStep(lines.slice(start, starts[index + 1]), name))
  return { title, config, steps }
}

function parseStep(lines: readonly string[], name: string): CaseStep {
  const [, method = '', target = ''] = REQUEST.exec(lines[0] ?? '') ?? []
  const headers: Record<string, string> = {}
  const replyHeaders: Record<string, string> = {}
  const never: string[] = []
  const body: string[] = []
  const reply: string[] = []
  let status: number | undefined
  let section: 'request' | 'reply' | 'headers' | 'never' = 'request'
  for (const line of lines.slice(1)) {
    const start = SECTION.exec(line)
    if (start !== null) {
      section = start[1]?.startsWith('reply') === true ? 'reply' : (start[1] as 'headers' | 'never')
      if (start[2] !== undefined) status = Number(start[2])
      continue
    }
    if (line.trim() === '' || line.startsWith('# ')) continue
    const header = /^([a-z-]+): (.*)$/.exec(line)
    if (section === 'reply') reply.push(line)
    else if (section === 'never') never.push(line)
    else if (section === 'headers' && header !== null) replyHeaders[header[1] ?? ''] = header[2] ?? ''
    else if (header !== null && body.length === 0) headers[header[1] ?? ''] = header[2] ?? ''
    else body.push(line)
  }
  if (status === undefined) throw new Error(`${name}: ${method} ${target} has no "---- reply"`)
  if (body.length > 0) headers['content-type'] ??= 'application/json'
  return {
    method,
    target,
    headers,
    body: body.length > 0 ? body.join('\n') : undefined,
    status,
    reply: reply.length > 0 ? reply.join('\n') : undefined,
    replyHeaders,
    never,
  }
}
