// Gives export and import access to the bytes of uploaded files, whatever their provider.

export interface OpenFile {
  readonly size: number
  chunks(): AsyncIterable<Uint8Array>
}

export interface StoredFiles {
  /** The value of the entries' `provider`. */
  readonly provider: string
  /** Returns undefined if the file is missing or cannot be read by this server. */
  open(key: string): Promise<OpenFile | undefined>
  /** Resolves with the file's address for clients. */
  store(key: string, file: OpenFile): Promise<string>
  /** Called once all entries are written; until then, the next start removes files without an entry. */
  settle(): Promise<void>
}

const KEY = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}$/

/** A key must be a single path segment. */
export function isFileKey(key: string): boolean {
  return KEY.test(key) && !key.includes('..')
}
