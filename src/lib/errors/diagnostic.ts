// Declares diagnostics: faults of a configuration, returned as data and never thrown.

export type DiagnosticPath = readonly (string | number)[]

export interface Diagnostic {
  /** E.g. `CFG012` (docs/reference/errors.md); grouped by step, never reused. */
  readonly code: string
  /** `error` stops a load; `warning` is printed and the load goes on. */
  readonly severity: 'error' | 'warning'
  /** Keys from the root of the document; the deepest existing one is shown. */
  readonly path: DiagnosticPath
  /** `key` points at the path's last key, `value` (the default) at its value. */
  readonly at?: 'key' | 'value'
  /** One sentence in lower case without a full stop. */
  readonly message: string
  /** E.g. `did you mean "api::author.author"?`. */
  readonly help?: string
  /** Characters (not bytes) [start, end) of the text, for YAML syntax errors, which have no path. */
  readonly range?: readonly [start: number, end: number]
  /** Characters [start, end) of the text at `path`. */
  readonly within?: readonly [start: number, end: number]
}

export type Report = (diagnostic: Diagnostic) => void

export type Outcome<T> =
  | { readonly ok: true; readonly value: T; readonly warnings: readonly Diagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] }

/** The message is the report that the command line would print. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  readonly diagnostics: readonly Diagnostic[]

  constructor(report: string, diagnostics: readonly Diagnostic[]) {
    super(report)
    this.diagnostics = diagnostics
  }
}
