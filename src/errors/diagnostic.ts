// What is wrong with a configuration, as data: collected and returned, never thrown. `config/format-diagnostic`
// turns it into text with file, line and column.

export type DiagnosticPath = readonly (string | number)[]

export interface Diagnostic {
  /** A code of docs/errors.md, e.g. `CFG012`; grouped by station, never reused. */
  readonly code: string
  /** `error` stops a load; `warning` is printed and the load goes on. */
  readonly severity: 'error' | 'warning'
  /** Keys from the root of the document; the deepest one that exists in the text is shown. */
  readonly path: DiagnosticPath
  /** What of the path's last key is meant: the key itself or (the default) its value. */
  readonly at?: 'key' | 'value'
  /** One sentence in lower case without a full stop. */
  readonly message: string
  /** What to do about it, e.g. `did you mean "api::author.author"?`. */
  readonly help?: string
  /** Byte-free character offsets [start, end) into the text, where no path can say it (YAML syntax). */
  readonly range?: readonly [start: number, end: number]
  /** Characters [start, end) of the text at `path`: within an expression. */
  readonly within?: readonly [start: number, end: number]
}

export type Report = (diagnostic: Diagnostic) => void

export type Outcome<T> =
  | { readonly ok: true; readonly value: T; readonly warnings: readonly Diagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] }

/** A configuration that cannot be used, for programs: the message is the report that the command line would print. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  readonly diagnostics: readonly Diagnostic[]

  constructor(report: string, diagnostics: readonly Diagnostic[]) {
    super(report)
    this.diagnostics = diagnostics
  }
}
