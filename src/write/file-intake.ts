// The extension point for uploaded files: first received, then stored once the request is read, and removed
// if its write fails.

import type { Writer } from './recorded-changes.ts'

export interface IncomingFile {
  readonly filename: string
  /** The client's claim. */
  readonly mime: string
  /** Undefined: the memory suffices for a small file. */
  readonly memory?: FileMemory | undefined
  chunks(): AsyncIterable<Uint8Array>
}

interface FileMemory {
  tryHold(bytes: number): boolean
  release(bytes: number): void
}

export interface ReceivedFile {
  readonly filename: string
  /** Detected from the content where possible. */
  readonly mime: string
  readonly size: number
  release(): Promise<void>
}

/** In percent, from the left and from the top. */
export interface FocalPoint {
  readonly x: number
  readonly y: number
}

export interface FileInfo {
  readonly name?: string | null
  readonly alternativeText?: string | null
  readonly caption?: string | null
  /** Only with `strapi-5`. */
  readonly focalPoint?: FocalPoint | null
}

export interface StoredFiles {
  readonly ids: readonly number[]
  undo(): Promise<void>
}

export interface StoredFile {
  readonly data: Readonly<Record<string, unknown>>
  undo(): Promise<void>
}

export interface FileIntake {
  /** Throws ApiError if the file is too large, its type is not accepted, or its name cannot be stored. */
  receive(file: IncomingFile): Promise<ReceivedFile>
  /**
   * Stores only the contents, for a seeded entry; `given` are the seed's fields. A suffix made from `salt`
   * gives the same path at every seeding. `variant` finds the formats that the entry names.
   */
  keep(
    file: ReceivedFile,
    given: Readonly<Record<string, unknown>>,
    salt: string,
    variant: (key: string) => Promise<ReceivedFile | undefined>,
  ): Promise<StoredFile>
  /** Stores all files or none. `by`: the author; undefined: the server's own code. */
  store(
    files: readonly ReceivedFile[],
    infos: readonly (FileInfo | undefined)[],
    by: Writer | undefined,
  ): Promise<StoredFiles>
}
