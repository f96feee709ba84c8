// Limits open subscriptions and event streams, and the cost of one event.

import { ApiError } from '../lib/errors/api-error.ts'
import { buildCallerKey } from './caller-limit.ts'
import type { Principal } from './principal.ts'

interface SubscriptionLimitsOptions {
  readonly connection: number
  readonly caller: number
  readonly server: number
  /** Units per event for everything that a caller has open (`rest.limits.cost`). */
  readonly cost: number
}

export interface SubscriptionLimits {
  connect(address: string): SubscribedConnection
}

interface SubscribedConnection {
  /** Throws RateLimitError or ServiceUnavailableError when a limit is reached. */
  open(principal: Principal): OpenSubscription
}

export interface OpenSubscription {
  readonly caller: string
  /** Throws ValidationError when the event has cost the caller too much. */
  assertAffordable(event: object): void
  /** `allowed`: may be more than the setting. */
  charge(event: object, cost: number, allowed: number): void
  close(): void
}

interface Caller {
  open: number
  readonly bills: WeakMap<object, { cost: number; allowed: number }>
}

export function createSubscriptionLimits(limits: SubscriptionLimitsOptions): SubscriptionLimits {
  const callers = new Map<string, Caller>()
  let total = 0

  function admit(ofConnection: number, ofCaller: number): void {
    if (ofConnection >= limits.connection)
      throw tooMany(`This connection has ${ofConnection} subscriptions open`)
    if (ofCaller >= limits.caller) throw tooMany(`This caller has ${ofCaller} subscriptions and streams open`)
    if (total < limits.server) return
    const message = `The server has ${total} subscriptions and streams open, which is the limit: try again later`
    throw new ApiError('ServiceUnavailableError', message, {}, { 'retry-after': '10' })
  }

  return {
    connect(address) {
      let ofConnection = 0
      return {
        open(principal) {
          const key = buildCallerKey(address, principal)
          const caller = callers.get(key) ?? { open: 0, bills: new WeakMap() }
          admit(ofConnection, caller.open)
          callers.set(key, caller)
          ofConnection += 1
          caller.open += 1
          total += 1
          let isOpen = true
          return {
            caller: key,
            assertAffordable(event) {
              const bill = caller.bills.get(event)
              if (bill === undefined || bill.cost <= bill.allowed) return
              throw tooExpensive(bill.cost, bill.allowed)
            },
            charge(event, cost, allowed) {
              const bill = caller.bills.get(event) ?? { cost: 0, allowed: limits.cost }
              bill.cost += cost
              bill.allowed = Math.max(bill.allowed, allowed)
              caller.bills.set(event, bill)
            },
            close() {
              if (!isOpen) return
              isOpen = false
              ofConnection -= 1
              caller.open -= 1
              total -= 1
              if (caller.open === 0) callers.delete(key)
            },
          }
        },
      }
    },
  }
}

function tooMany(fact: string): ApiError {
  return new ApiError(
    'RateLimitError',
    `${fact}, which is the limit: end one before the next`,
    {},
    { 'retry-after': '10' },
  )
}

function tooExpensive(cost: number, allowed: number): ApiError {
  const rounded = Math.round(cost)
  const message = `One event costs ${rounded} of ${allowed} that are allowed with all subscriptions and streams of this caller: end some of them, or let them ask for less`
  return new ApiError('ValidationError', message, { cost: rounded, limit: allowed })
}
