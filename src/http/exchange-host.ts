// Shared by the exchanges of a server.

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
  /** True once the server is closing: every answer then ends its connection. */
  closing: boolean
  /** True while few connections are left: every answer then ends its connection, too. */
  crowded: boolean
  /** Called once per exchange, when its answer is out or its connection is gone. */
  finished(): void
}
