// The text a configuration was read from, and where in it a diagnostic points.

import type { Diagnostic, DiagnosticPath } from '../../lib/errors/diagnostic.ts'

/** Positions are 1-based; columns count UTF-16 units. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** A range of one of the files that a configuration was read from. */
export interface SourceLocation {
  readonly source: SourceText
  readonly start: Position
  readonly end: Position
}

export interface SourceText {
  /** As it is shown in reports: the path the user gave, or `<config>` for an object. */
  readonly name: string
  readonly text: string
  /**
   * The range of the deepest node on `path` that exists in the text; below a key that names a seed file, a range of
   * that file.
   */
  locate(path: DiagnosticPath, at: 'key' | 'value'): SourceLocation
  /** Locates the part [start, end) of the text at `path`. */
  locateWithin(path: DiagnosticPath, part: readonly [start: number, end: number]): SourceLocation
  positionAt(offset: number): Position
  /** The file that holds `path`: this one, or a seed file that one of its keys names. */
  holding(path: DiagnosticPath): SourceText
  /** Ranges of values that must not be shown, such as passwords, in the order of the text. */
  secretRanges(): readonly (readonly [start: number, end: number])[]
}

/** A diagnostic with its position, ready to print. */
export interface LocatedDiagnostic extends Diagnostic, SourceLocation {
  readonly file: string
}

/** Locates a diagnostic by its own range if it has one, else by its path. */
export function getPlace(diagnostic: Diagnostic, source: SourceText): LocatedDiagnostic {
  const { range, within, path, at = 'value' } = diagnostic
  if (within !== undefined) {
    const place = source.locateWithin(path, within)
    return { ...diagnostic, ...place, file: place.source.name }
  }
  if (range === undefined) {
    const place = source.locate(path, at)
    return { ...diagnostic, ...place, file: place.source.name }
  }
  const schema = source.holding(path)
  const [start, end] = range
  return {
    ...diagnostic,
    source: schema,
    file: schema.name,
    start: schema.positionAt(start),
    end: schema.positionAt(end),
  }
}
