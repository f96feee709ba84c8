// What the caches of one generation may hold, in bytes as far as they can be told: 64 MB in all (docs/limits.md).

const MB = 1024 * 1024

export const cacheBudgets = {
  /** REST: query strings with their plans and encoders. */
  queries: 8 * MB,
  /** Plans with their SQL. */
  reads: 8 * MB,
  /** SQL of writes: clients choose the columns of an update. */
  writes: 2 * MB,
  /** GraphQL: documents that were parsed and validated. */
  documents: 8 * MB,
  /** GraphQL: plans and encoders of the fields of documents. */
  fields: 8 * MB,
  /** GraphQL: compiled operations. */
  compiled: 24 * MB,
  /** GraphQL: texts of persisted queries. */
  persisted: 2 * MB,
  /** Statements that a connection keeps prepared. */
  statements: 4 * MB,
} as const
