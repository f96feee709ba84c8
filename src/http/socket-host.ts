// Counts the work and the unread bytes of sockets with those of requests.

import { type BodyBudget, BodyShare } from './body/body-budget.ts'
import type { Load } from './load.ts'
import type { Socket } from './socket.ts'

/** The parts of a server that count the work and the unread bytes of its sockets. */
export interface SocketHost {
  readonly load: Load
  readonly bodies: BodyBudget
}

/** The members of `Socket` that count, for the client at an address. */
export function countedBy({ load, bodies }: SocketHost, address: string): Pick<Socket, 'begin' | 'hold'> {
  return {
    async begin() {
      const client = { address }
      await load.turnFor(client)
      load.admit()
      load.begin()
      // The bytes that its client has not read are counted with the socket.
      const response = load.openAnswer(client, () => {})
      let isRunning = true
      return {
        holdAnswer(characters) {
          if (isRunning) response.grow(characters)
        },
        end() {
          isRunning = false
          response.set(0)
          load.end()
        },
      }
    },
    hold(bytes) {
      const share = new BodyShare(bodies)
      share.take(bytes)
      return () => share.close()
    },
  }
}
