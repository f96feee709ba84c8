// The transports that this Node has. uWebSockets.js has a binary for some versions only (decision 0002): on the others the
// tests over it are left out, aloud. On Node 20, for which the package brings one, it must be there in continuous
// integration.

import { loadUws } from '../../src/http/uws/uws-binding.ts'

export type TransportName = 'uws' | 'node'

/** The fastest one first. */
export const transportsHere: readonly [TransportName, ...TransportName[]] = find()

function find(): [TransportName, ...TransportName[]] {
  try {
    loadUws()
    return ['uws', 'node']
  } catch (error) {
    if (process.env['CI'] === 'true' && process.versions.node.startsWith('20.')) throw error
    const reason = error instanceof Error ? error.message : String(error)
    process.stderr.write(`\n!! the tests over uWebSockets.js are left out: ${reason}\n\n`)
    return ['node']
  }
}
