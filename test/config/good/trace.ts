// A middleware of GraphQL fields.
type Next = (...rest: readonly unknown[]) => unknown

export const trace = (next: Next, ...rest: readonly unknown[]): unknown => next(...rest)
