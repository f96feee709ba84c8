// A configuration that cannot be used, for programs: the message is the report that the command line would print.

import type { Diagnostic } from '../errors/diagnostic.ts'

export class ConfigError extends Error {
  override name = 'ConfigError'
  readonly diagnostics: readonly Diagnostic[]

  constructor(report: string, diagnostics: readonly Diagnostic[]) {
    super(report)
    this.diagnostics = diagnostics
  }
}
