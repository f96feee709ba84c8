// The extension point for files that come with a request: the plugin for media attributes provides it, every API that
// accepts files uses it. A file is first received (read to its end, checked, set aside), then stored when the rest of
// the request is known, and removed again if the write that it belongs to fails.

import type { Writer } from './recorded-changes.ts'

/** A file as it arrives. */
export interface IncomingFile {
  readonly filename: string
  /** The media type that the client claims. */
  readonly mime: string
  /** The shared limit of memory for files; undefined: there is enough for a small file. */
  readonly memory?: FileMemory | undefined
  chunks(): AsyncIterable<Uint8Array>
}

interface FileMemory {
  tryHold(bytes: number): boolean
  release(bytes: number): void
}

/** A file that was read and checked, but is not stored yet. */
export interface ReceivedFile {
  readonly filename: string
  /** Detected from the content where that is possible. */
  readonly mime: string
  readonly size: number
  /** Discards the received file; stored copies stay. */
  release(): Promise<void>
}

/** Fields of a file that a client may set. */
export interface FileInfo {
  readonly name?: string | null
  readonly alternativeText?: string | null
  readonly caption?: string | null
}

export interface StoredFiles {
  /** The ids of the files' entries, in the order of the files. */
  readonly ids: readonly number[]
  /** Removes the entries and contents again. */
  undo(): Promise<void>
}

export interface StoredFile {
  /** The fields of its entry. */
  readonly data: Readonly<Record<string, unknown>>
  undo(): Promise<void>
}

export interface FileIntake {
  /** Throws ApiError if the file is too large, its type is not accepted, or its name cannot be stored. */
  receive(file: IncomingFile): Promise<ReceivedFile>
  /**
   * Stores only the contents, for a seeded entry; `given` are the fields that the seed sets. The stored name ends with
   * a suffix made from `salt` instead of a random one, so that seeding again gives the same place. `sibling` finds the
   * formats that the entry names.
   */
  keep(
    file: ReceivedFile,
    given: Readonly<Record<string, unknown>>,
    salt: string,
    variant: (key: string) => Promise<ReceivedFile | undefined>,
  ): Promise<StoredFile>
  /** Stores all files or none. `by`: in whose name; undefined: the server's own code. */
  store(
    files: readonly ReceivedFile[],
    infos: readonly (FileInfo | undefined)[],
    by: Writer | undefined,
  ): Promise<StoredFiles>
}
