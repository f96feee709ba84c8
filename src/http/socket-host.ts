// Counts sockets' work and unread bytes with those of requests.

import { type BodyBudget, BodyShare } from './body/body-budget.ts'
import type { Load } from './load.ts'
import type { Socket } from './socket.ts'

export interface SocketHost {
  readonly load: Load
  readonly bodies: BodyBudget
}

export function createOperationCounter(
  { load, bodies }: SocketHost,
  address: string,
): Pick<Socket, 'begin' | 'hold'> {
  return {
    async begin() {
      const client = { address }
      await load.turnFor(client)
      load.admit()
      load.begin()
      // Its unread bytes are counted with the socket.
      const response = load.openAnswer(client, () => {})
      let isRunning = true
      return {
        holdResponse(characters) {
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
