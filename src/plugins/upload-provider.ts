// The contract of an upload provider (docs/reference/uploads.md): three functions. The last, `open`, is for readers of files:
// this server, where it serves them itself, and archives.

export interface ByteRange {
  readonly start: number
  /** Offset of the last byte, inclusive. */
  readonly end: number
}

/** The bytes of a file, readable any number of times. */
export interface FileContent {
  readonly size: number
  chunks(range?: ByteRange): AsyncIterable<Uint8Array>
}

/** A file to be stored. */
export interface ProviderFile extends FileContent {
  /** Unique, and safe in paths and URLs: letters, digits, `_`, `-`, one dot (`red_0a1b2c3d4e.png`). */
  readonly key: string
  readonly mime: string
  /** Whether a browser would run its content: must be served as a download, if it is served from anywhere else. */
  readonly active: boolean
  /** Its path, if it is on disk; the provider may move it away. */
  readonly path?: string
}

interface StoreResult {
  /** Where clients find it: a path of this server (`/uploads/…`), or an absolute URL. */
  readonly url: string
  /** The entry's `provider_metadata`. */
  readonly metadata?: Readonly<Record<string, unknown>> | null
}

export interface ServedFile extends FileContent {
  readonly modified: Date
}

export interface UploadProvider {
  /** The `provider` of the entries; by default the name in the configuration. */
  readonly name?: string
  /** Whether clients get files from another server: then this server does not serve them. */
  readonly elsewhere?: boolean
  /** A folder for incoming files from which `store` can move them instead of copying. */
  readonly spoolDirectory?: string
  /** Resolves when the file is safely stored; replaces a file of the same key as a whole. */
  store(file: ProviderFile): Promise<StoreResult>
  /** Removing a file that does not exist is no error. */
  remove(key: string): Promise<void>
  /** Resolves to undefined when there is no such file. */
  open?(key: string): Promise<ServedFile | undefined>
}
