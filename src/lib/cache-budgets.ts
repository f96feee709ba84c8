// The budgets of the caches of one app, in estimated bytes: 50 MB in total (docs/reference/limits.md).

const MB = 1024 * 1024

export const cacheBudgets = {
  /** REST: query strings with their plans and encoders. */
  queries: 6 * MB,
  /** Plans with their SQL. */
  reads: 6 * MB,
  /** Totals of lists. */
  totals: 2 * MB,
  /** SQL of writes, which varies because clients choose the columns of an update. */
  writes: 2 * MB,
  /** GraphQL: parsed and validated documents. */
  documents: 6 * MB,
  /** GraphQL: plans and encoders of the fields of documents. */
  fields: 6 * MB,
  /** GraphQL: compiled operations. */
  compiled: 16 * MB,
  /** GraphQL: texts of persisted queries. */
  persisted: 2 * MB,
  /** Statements that a connection keeps prepared. */
  statements: 4 * MB,
} as const
