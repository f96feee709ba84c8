// The database cannot be opened as the configuration has it.

import type { Diagnostic } from '../errors/diagnostic.ts'

export class OpenFailure extends Error {
  override name = 'OpenFailure'
  readonly diagnostics: readonly Diagnostic[]

  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map((diagnostic) => diagnostic.message).join('\n'))
    this.diagnostics = diagnostics
  }
}
