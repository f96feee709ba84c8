// The state that the exchanges of a server share.

import type { AwaitedBodies } from './body/awaited-bodies.ts'
import type { BodyBudget } from './body/body-budget.ts'
import type { ClientAddress } from './client-address.ts'
import type { Load } from './load.ts'
import type { ServerOptions } from './server.ts'
import type { StreamSlots } from './stream-slots.ts'

export interface ExchangeHost {
  readonly options: ServerOptions
  readonly load: Load
  readonly clientAddress: ClientAddress
  readonly bodies: BodyBudget
  readonly awaited: AwaitedBodies
  readonly streams: StreamSlots
  closing: boolean
  /** Few connections are left: every response then ends its connection. */
  crowded: boolean
  /** Called once per exchange, when its response is sent or its connection is gone. */
  finished(): void
}
