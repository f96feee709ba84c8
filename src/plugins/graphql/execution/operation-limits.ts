// The limits of a document.

export interface OperationLimits {
  /** Maximum depth of fields; root fields have depth 0. 0: no limit. */
  readonly depth: number
  /** Characters of a document. */
  readonly size: number
  readonly tokens: number
  readonly aliases: number
  readonly directives: number
  readonly rootFields: number
  /** With every fragment expanded wherever it is spread, as a compiler would write it. */
  readonly fields: number
  /** Elements of all lists in the variables, in total. */
  readonly elements: number
  readonly errors: number
  /**
   * Root mutation fields that a request may contain once: each call costs a password hash, or guesses a
   * password.
   */
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

export function onceFault(count: number): string {
  return `a request may log in, register, or change or confirm an account once; this one does it ${count} times`
}
