// What the caches of one generation may hold, in bytes as far as they can be told: 98 MB in all (docs/limits.md).

const MB = 1024 * 1024

export const cacheBudgets = {
  /** REST: query strings with their plans and encoders. */
  queries: 16 * MB,
  /** Plans with their SQL. */
  reads: 16 * MB,
  /** SQL of writes: clients choose the columns of an update. */
  writes: 2 * MB,
  /** GraphQL: documents that were parsed and validated. */
  documents: 16 * MB,
  /** GraphQL: plans and encoders of the fields of documents. */
  fields: 16 * MB,
  /** GraphQL: compiled operations. */
  compiled: 24 * MB,
  /** GraphQL: texts of persisted queries. */
  persisted: 2 * MB,
  /** Statements that a connection keeps prepared. */
  statements: 6 * MB,
} as const
