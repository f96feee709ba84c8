// The limits of a document. The author sets the depth; the other limits bound the cost of one request.

export interface OperationLimits {
  /** How deeply fields may nest; root fields have depth 0. 0: no limit. */
  readonly depth: number
  /** Characters of a document. */
  readonly size: number
  readonly tokens: number
  readonly aliases: number
  readonly directives: number
  readonly rootFields: number
  /** Fields, with every fragment expanded wherever it is spread: as many as a compiler would write. */
  readonly fields: number
  /** Elements of all lists in the variables, in total. */
  readonly elements: number
  /** Errors in one answer that refuses a document. */
  readonly errors: number
  /** Root mutation fields of which a request may contain one: each call costs a password hash, or is a guess at one. */
  readonly once: ReadonlySet<string>
}

export const defaultLimits: OperationLimits = {
  depth: 10,
  size: 65_536,
  tokens: 5000,
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

/** The message for a request with more mutations of `once` than one. */
export function onceFault(count: number): string {
  return `a request may log in, register, or change or confirm an account once; this one does it ${count} times`
}
