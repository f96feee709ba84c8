// Diagnostics: faults of a configuration as data, collected and returned, never thrown. `config/format-diagnostic`
// turns them into text with file, line and column.

export type DiagnosticPath = readonly (string | number)[]

export interface Diagnostic {
  /** A code of docs/reference/errors.md, e.g. `CFG012`; grouped by the step that reports it, never reused. */
  readonly code: string
  /** `error` stops a load; `warning` is printed and the load goes on. */
  readonly severity: 'error' | 'warning'
  /** Keys from the root of the document; the deepest one that exists in the text is shown. */
  readonly path: DiagnosticPath
  /** Whether the diagnostic points at the path's last key itself or (the default) at its value. */
  readonly at?: 'key' | 'value'
  /** One sentence in lower case without a full stop. */
  readonly message: string
  /** How to correct the fault, e.g. `did you mean "api::author.author"?`. */
  readonly help?: string
  /** Character (not byte) offsets [start, end) into the text, when there is no path (YAML syntax errors). */
  readonly range?: readonly [start: number, end: number]
  /** A range of characters [start, end) within the text at `path`, such as a part of an expression. */
  readonly within?: readonly [start: number, end: number]
}

export type Report = (diagnostic: Diagnostic) => void

export type Outcome<T> =
  | { readonly ok: true; readonly value: T; readonly warnings: readonly Diagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] }

/** Thrown to programs for an invalid configuration; the message is the report that the command line would print. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  readonly diagnostics: readonly Diagnostic[]

  constructor(report: string, diagnostics: readonly Diagnostic[]) {
    super(report)
    this.diagnostics = diagnostics
  }
}
