// The text of a configuration, with the positions for diagnostics.

import type { Diagnostic, DiagnosticPath } from '../../lib/errors/diagnostic.ts'

/** Positions are 1-based; columns count UTF-16 units. */
export interface Position {
  readonly line: number
  readonly column: number
}

export interface SourceLocation {
  readonly source: SourceText
  readonly start: Position
  readonly end: Position
}

export interface SourceText {
  /** The path the user gave, or `<config>` for an object. */
  readonly name: string
  readonly text: string
  /**
   * Returns the deepest existing node on `path`; below a key that names a seed file, a range of that file.
   */
  locate(path: DiagnosticPath, at: 'key' | 'value'): SourceLocation
  locateWithin(path: DiagnosticPath, part: readonly [start: number, end: number]): SourceLocation
  positionAt(offset: number): Position
  /** This text, or a seed file that a key on `path` names. */
  holding(path: DiagnosticPath): SourceText
  secretRanges(): readonly (readonly [start: number, end: number])[]
  /** The values at these ranges, and in seed files. */
  secretTexts(): readonly string[]
  /** Attributes that this text declares private: their values under `data` are secrets. */
  privateNames(): ReadonlySet<string>
  /** More names of private attributes. `at`: where this text stands in the configuration. */
  hide(names: () => ReadonlySet<string>, at?: DiagnosticPath): void
}

export interface LocatedDiagnostic extends Diagnostic, SourceLocation {
  readonly file: string
}

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
