// Defines the contract of an upload provider (docs/reference/uploads.md). `open` is for archives, and for
// this server if it serves the files.

export interface ByteRange {
  readonly start: number
  /** Inclusive. */
  readonly end: number
}

/** A file's bytes, which can be read any number of times. */
export interface FileContent {
  readonly size: number
  chunks(range?: ByteRange): AsyncIterable<Uint8Array>
}

export interface ProviderFile extends FileContent {
  /** Unique, and safe in paths and URLs: letters, digits, `_`, `-`, one dot (`red_0a1b2c3d4e.png`). */
  readonly key: string
  readonly mime: string
  /** Whether a browser would run its content: any other server must serve it as a download. */
  readonly active: boolean
  /** Its path on disk; the provider may move the file away. */
  readonly path?: string
}

interface StoreResult {
  /** A path of this server (`/uploads/…`) or an absolute URL. */
  readonly url: string
  /** The entry's `provider_metadata`. */
  readonly metadata?: Readonly<Record<string, unknown>> | null
}

export interface ServedFile extends FileContent {
  readonly modified: Date
}

export interface UploadProvider {
  /** The `provider` of the entries; defaults to the name in the configuration. */
  readonly name?: string
  /** Whether clients get files from another server, so that this server does not serve them. */
  readonly elsewhere?: boolean
  /** A folder for incoming files from which `store` can move instead of copy. */
  readonly spoolDirectory?: string
  /** Resolves when the file is safely stored; replaces a file with the same key as a whole. */
  store(file: ProviderFile): Promise<StoreResult>
  /** Removing a missing file is no error. */
  remove(key: string): Promise<void>
  /** Resolves to undefined if the file is missing. */
  open?(key: string): Promise<ServedFile | undefined>
}
