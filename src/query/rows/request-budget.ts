// Limits the size and the cost of one response. The cost is estimated before the read; the size is counted
// during it.

import { ApiError } from '../../lib/errors/api-error.ts'
import { createTooMuch, planLimits } from '../../plan/planning.ts'
import { ALLOWED_PER_ENTRY, ALLOWED_PER_STATEMENT, COST_OF_ROW, type Price } from '../../plan/price.ts'

/** A response is in memory twice while it is built: as rows and as text. */
const COPIES = 2

export interface RowBudget {
  rowsLeft(times: number): number
  /** `entries`: entries and components, counted each time they are shown. Throws ValidationError. */
  add(rows: number, entries: number, characters: number): void
}

export interface RequestBudget extends RowBudget {
  /** `limit`: `rest.limits.cost`. Throws ValidationError. */
  charge(price: Price, limit: number): void
  part(): BudgetPart
  /** In cost units; `allowed` is 0 if no read had a cost. */
  spent(): { readonly cost: number; readonly allowed: number }
}

/** The sums of one read, which the database may run again. */
export interface BudgetPart extends RowBudget {
  /** Subtracts the sums of the previous try. */
  again(): void
}

/** Throws ServiceUnavailableError when concurrent responses take too much memory together. */
export interface BudgetSource {
  holdResponse(characters: number): void
}

/** `schema`: the request that is answered; undefined for the server's own reads. */
export function createRequestBudget(schema?: BudgetSource): RequestBudget {
  return new Budget(schema)
}

/** A class, because one is made for every request: three more closures cost 0.3 µs. */
class Budget implements RequestBudget {
  private entries = 0
  private characters = 0
  private cost = 0
  /** The server's own reads are never charged. */
  private allowed = Number.POSITIVE_INFINITY
  private readonly schema: BudgetSource | undefined

  constructor(schema: BudgetSource | undefined) {
    this.schema = schema
  }

  rowsLeft(times: number): number {
    const shown = Math.floor((planLimits.rows - this.entries) / times)
    return Math.min(shown, Math.floor((this.allowed - this.cost) / COST_OF_ROW))
  }

  add(rows: number, entries: number, characters: number): void {
    this.entries += entries
    if (this.entries > planLimits.rows)
      throw createTooMuch('entries and components in one response', planLimits.rows)
    this.characters += characters
    if (this.characters > planLimits.characters)
      throw createTooMuch('characters in one response', planLimits.characters)
    this.schema?.holdResponse(this.characters * COPIES)
    this.cost += rows * COST_OF_ROW
    if (this.cost > this.allowed)
      throw tooExpensive(this.cost, this.allowed, 'the entries that it reads', rows * COST_OF_ROW)
  }

  part(): BudgetPart {
    return new Part(this)
  }

  spent(): { readonly cost: number; readonly allowed: number } {
    return { cost: this.cost, allowed: this.allowed === Number.POSITIVE_INFINITY ? 0 : this.allowed }
  }

  charge({ total, largest, statement, dearest }: Price, limit: number): void {
    this.cost += total
    const before = this.allowed === Number.POSITIVE_INFINITY ? 0 : this.allowed
    this.allowed = Math.max(before, limit, largest * ALLOWED_PER_ENTRY)
    if (this.cost > this.allowed) throw tooExpensive(this.cost, this.allowed, dearest.part, dearest.cost)
    const most = Math.round(this.allowed * ALLOWED_PER_STATEMENT)
    if (statement > most) {
      const message = `One statement of this request costs ${statement} of ${most} that are allowed; its most expensive part is ${dearest.part}, which costs ${dearest.cost}`
      const details = { cost: statement, limit: most, part: dearest.part, partCost: dearest.cost }
      throw new ApiError('ValidationError', message, details)
    }
  }
}

class Part implements BudgetPart {
  private rows = 0
  private entries = 0
  private characters = 0
  private readonly whole: Budget

  constructor(whole: Budget) {
    this.whole = whole
  }

  rowsLeft(times: number): number {
    return this.whole.rowsLeft(times)
  }

  add(rows: number, entries: number, characters: number): void {
    this.rows += rows
    this.entries += entries
    this.characters += characters
    this.whole.add(rows, entries, characters)
  }

  again(): void {
    if (this.entries === 0) return
    this.whole.add(-this.rows, -this.entries, -this.characters)
    this.rows = 0
    this.entries = 0
    this.characters = 0
  }
}

function tooExpensive(cost: number, limit: number, part: string, partCost: number): ApiError {
  const message = `This request costs ${cost} of ${limit} that are allowed; its most expensive part is ${part}, which costs ${partCost}`
  return new ApiError('ValidationError', message, { cost, limit, part, partCost })
}
