// What a document may ask for at most. The depth is the author's choice; the other bounds keep one request from
// costing more than a request may.

export interface OperationLimits {
  /** How deeply fields may nest, the root's counting 0; 0: no limit. */
  readonly depth: number
  /** Characters of a document. */
  readonly size: number
  readonly tokens: number
  readonly aliases: number
  readonly directives: number
  readonly rootFields: number
  /** Fields with every fragment opened wherever it is spread: what a compiler would have to write. */
  readonly fields: number
  /** Elements of all lists in the variables together. */
  readonly elements: number
  /** Errors of one answer that refuses a document. */
  readonly errors: number
  /** Root fields of mutations of which a request may hold one: each call costs a password hash, or guesses one. */
  readonly once: ReadonlySet<string>
}

export const defaultLimits: OperationLimits = {
  depth: 10,
  size: 65_536,
  tokens: 1000,
  aliases: 50,
  directives: 50,
  rootFields: 50,
  fields: 2000,
  elements: 20_000,
  errors: 20,
  once: new Set([
    'login',
    'register',
    'forgotPassword',
    'resetPassword',
    'changePassword',
    'emailConfirmation',
  ]),
}
