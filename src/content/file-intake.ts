// The socket for files that come with a request: whoever answers media attributes offers it, every API that takes
// files uses it. A file is received first (read to its end, checked, kept aside), stored when all that belongs to the
// request is known, and taken back when the write it belongs to fails.

/** A file as it arrives. */
export interface IncomingFile {
  readonly filename: string
  /** The media type that its sender claims. */
  readonly mime: string
  /** Room in memory, of which a file takes what it may; undefined: there is enough for a small one. */
  readonly memory?: FileMemory | undefined
  chunks(): AsyncIterable<Uint8Array>
}

export interface FileMemory {
  tryHold(bytes: number): boolean
  release(bytes: number): void
}

/** A file that is here and checked, and nowhere stored yet. */
export interface ReceivedFile {
  readonly filename: string
  /** By its content, where content shows its type. */
  readonly mime: string
  readonly size: number
  /** Forgets it; what was stored of it stays. */
  release(): Promise<void>
}

/** What a client may say about a file. */
export interface FileInfo {
  readonly name?: string | null
  readonly alternativeText?: string | null
  readonly caption?: string | null
}

export interface StoredFiles {
  /** Of their entries, in the order of the files. */
  readonly ids: readonly number[]
  /** Takes entries and contents back. */
  undo(): Promise<void>
}

export interface KeptFile {
  /** The fields of its entry. */
  readonly data: Readonly<Record<string, unknown>>
  undo(): Promise<void>
}

export interface FileIntake {
  /** Throws ApiError: too large, of a type that is not taken, a name that cannot be kept. */
  receive(file: IncomingFile): Promise<ReceivedFile>
  /**
   * Stores the contents alone, for an entry that is seeded: `given` are the fields that it says itself. Its name ends as
   * `salt` says, not by chance: seeded again, it lies where it lay. `sibling` finds the formats that it names.
   */
  keep(
    file: ReceivedFile,
    given: Readonly<Record<string, unknown>>,
    salt: string,
    sibling: (key: string) => Promise<ReceivedFile | undefined>,
  ): Promise<KeptFile>
  /** All or none. */
  store(files: readonly ReceivedFile[], infos?: readonly (FileInfo | undefined)[]): Promise<StoredFiles>
}
