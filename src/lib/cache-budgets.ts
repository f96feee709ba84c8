// Sets the caches' budgets in estimated bytes, 50 MB in total (docs/reference/limits.md).

const MB = 1024 * 1024

export const cacheBudgets = {
  /** REST: query strings with their plans and encoders. */
  queries: 6 * MB,
  /** Plans with their SQL. */
  reads: 5 * MB,
  aggregates: MB,
  totals: 2 * MB,
  /** Clients choose the columns of an update, so its SQL varies. */
  writes: 2 * MB,
  /** GraphQL: parsed and validated documents. */
  documents: 6 * MB,
  /** GraphQL: plans and encoders of the fields of documents. */
  fields: 6 * MB,
  compiled: 16 * MB,
  persisted: 2 * MB,
  /** Statements that a connection keeps prepared. */
  statements: 4 * MB,
} as const
