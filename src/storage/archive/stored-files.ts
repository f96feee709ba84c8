// The interface through which export and import access the bytes of uploaded files, wherever the provider of the upload
// plugin stores them.

/** A file opened by the provider. */
export interface OpenFile {
  readonly size: number
  chunks(): AsyncIterable<Uint8Array>
}

export interface StoredFiles {
  /** The value of the entries' `provider`. */
  readonly provider: string
  /** Returns undefined if the file is missing, or stored where this server cannot read. */
  open(key: string): Promise<OpenFile | undefined>
  /** Resolves with the file's address for clients. */
  store(key: string, file: OpenFile): Promise<string>
  /** Called once all entries are written: files without an entry are no longer removed at the next start. */
  settle(): Promise<void>
}

const KEY = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}$/

/** Checks keys from an archive: a key must be a single path segment. */
export function isFileKey(key: string): boolean {
  return KEY.test(key) && !key.includes('..')
}
