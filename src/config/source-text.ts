// The text a configuration was read from, and where in it a diagnostic points.

import type { Diagnostic, DiagnosticPath } from '../errors/diagnostic.ts'

/** Positions are 1-based; columns count UTF-16 units. */
export interface Position {
  readonly line: number
  readonly column: number
}

export interface SourceText {
  /** As it is shown in reports: the path the user gave, or `<config>` for an object. */
  readonly name: string
  readonly text: string
  /** The range of the deepest node on `path` that exists in the text. */
  locate(path: DiagnosticPath, at: 'key' | 'value'): { readonly start: Position; readonly end: Position }
  positionAt(offset: number): Position
}

/** A diagnostic with its place, ready to print. */
export interface LocatedDiagnostic extends Diagnostic {
  readonly file: string
  readonly start: Position
  readonly end: Position
}
