// Requests without pause over kept-alive connections; counts what a client would call a failure.

import { Agent, request } from 'node:http'

export interface LoadResult {
  readonly requests: number
  /** Answers other than 200, and requests without an answer. */
  readonly failed: number
  /** Connections that the server closed. */
  readonly dropped: number
  readonly faults: readonly string[]
}

export function startLoad(url: string, connections: number): { stop(): Promise<LoadResult> } {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let stopped = false
  let requests = 0
  let failed = 0
  const faults: string[] = []
  const sockets = new Set<unknown>()

  function one(): Promise<void> {
    return new Promise((resolve) => {
      const fail = (reason: string): void => {
        failed += 1
        if (faults.length < 20) faults.push(reason)
        resolve()
      }
      const sent = request(url, { agent }, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          text += chunk
        })
        response.on('end', () =>
          response.statusCode === 200 ? resolve() : fail(`${response.statusCode} ${text}`),
        )
        response.on('error', (error) => fail(String(error)))
      })
      sent.on('socket', (socket) => sockets.add(socket))
      sent.on('error', (error) => fail(String(error)))
      sent.end()
    })
  }

  async function loop(): Promise<void> {
    while (!stopped) {
      requests += 1
      await one()
    }
  }

  const loops = Array.from({ length: connections }, loop)
  return {
    async stop() {
      stopped = true
      await Promise.all(loops)
      agent.destroy()
      return { requests, failed, dropped: Math.max(0, sockets.size - connections), faults }
    },
  }
}
