// Finds out whether a port is free, by listening on it for a moment.

import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'

/** 0 picks a free port; rejects with the system's error, `EADDRINUSE` if it is taken. */
export function probePort(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen({ port, host, exclusive: true }, () => {
      const bound = (probe.address() as AddressInfo).port
      probe.close(() => resolve(bound))
    })
  })
}
