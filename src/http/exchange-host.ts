// What the exchanges of a server share.

import type { BodyBudget } from './body/body-budget.ts'
import type { ClientAddress } from './client-address.ts'
import type { Load } from './load.ts'
import type { ServerOptions } from './server.ts'

export interface ExchangeHost {
  readonly options: ServerOptions
  readonly load: Load
  readonly clientAddress: ClientAddress
  readonly bodies: BodyBudget
  /** True once the server is closing: every answer then ends its connection. */
  closing: boolean
  /** Called once per exchange, when its answer is out or its connection is gone. */
  finished(): void
}
