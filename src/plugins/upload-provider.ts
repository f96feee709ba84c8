// THE CONTRACT of a place where files are kept (docs/uploads.md): three functions, of which the last is for what reads
// files back: this server, where it hands them out itself, and archives.

export interface ByteRange {
  readonly start: number
  /** Of the last byte; included. */
  readonly end: number
}

/** The bytes of a file, readable any number of times. */
export interface FileContent {
  readonly size: number
  chunks(range?: ByteRange): AsyncIterable<Uint8Array>
}

/** A file to be kept. */
export interface ProviderFile extends FileContent {
  /** Unique, and safe in paths and addresses: letters, digits, `_`, `-`, one dot (`red_0a1b2c3d4e.png`). */
  readonly key: string
  readonly mime: string
  /** Whether a browser would run what is in it: to be sent as a download, if it is sent from anywhere else. */
  readonly active: boolean
  /** Where it lies on disk, if it does; may be moved away. */
  readonly path?: string
}

export interface Kept {
  /** Where clients find it: a path of this server (`/uploads/…`), or a whole address. */
  readonly url: string
  /** The entry's `provider_metadata`. */
  readonly metadata?: Readonly<Record<string, unknown>> | null
}

export interface ServedFile extends FileContent {
  readonly modified: Date
}

export interface UploadProvider {
  /** What the entries' `provider` says; the name of the configuration by default. */
  readonly name?: string
  /** Whether clients get files from somewhere else: then this server does not hand them out. */
  readonly elsewhere?: boolean
  /** A folder where files may wait that `store` can then move instead of copying. */
  readonly spoolDirectory?: string
  /** Resolves when the file is safe; replaces one of the same key as a whole. */
  store(file: ProviderFile): Promise<Kept>
  /** What is not there is gone already: no error. */
  remove(key: string): Promise<void>
  /** Undefined when there is no such file. */
  open?(key: string): Promise<ServedFile | undefined>
}

/** What a module named as `provider:` exports by default. */
export type CreateProvider = (
  options: Readonly<Record<string, unknown>>,
) => UploadProvider | Promise<UploadProvider>
