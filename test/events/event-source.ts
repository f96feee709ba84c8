// Reads server-sent events of an answer, for tests: each with its fields, in order.

export interface SentEvent {
  readonly id: string | undefined
  readonly event: string
  readonly data: Record<string, unknown>
}

export interface Listening {
  /** Everything that has come so far, without `ready`. */
  readonly events: SentEvent[]
  /** The id of the last event. */
  readonly lastId: () => string | undefined
  /** Resolves when the answer has ended. */
  readonly ended: Promise<void>
  stop(): Promise<void>
}

/** Resolves when the receiver has been told that it listens. */
export async function listenTo(
  fetch: (path: string, init?: RequestInit) => Promise<Response>,
  path: string,
  headers: Record<string, string> = {},
): Promise<Listening> {
  const response = await fetch(path, { headers })
  if (response.status !== 200 || response.body === null) throw new Error(await response.text())
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  const events: SentEvent[] = []
  let lastId = headers['last-event-id']
  let ready = (): void => {}
  const isReady = new Promise<void>((resolve) => {
    ready = resolve
  })
  async function read(): Promise<void> {
    let text = ''
    for (;;) {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }))
      if (done || value === undefined) return
      text += value
      for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
        const fields = new Map(
          text
            .slice(0, end)
            .split('\n')
            .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
        )
        text = text.slice(end + 2)
        const id = fields.get('id')
        lastId = id ?? lastId
        const event = fields.get('event') ?? 'message'
        if (event === 'ready') ready()
        else if (fields.has('data'))
          events.push({ id, event, data: JSON.parse(String(fields.get('data'))) as Record<string, unknown> })
      }
    }
  }
  const ended = read()
  await Promise.race([isReady, ended])
  return { events, lastId: () => lastId, ended, stop: () => reader.cancel().catch(() => {}) }
}
