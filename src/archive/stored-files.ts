// The bytes of uploaded files, as export and import see them: wherever the upload plugin's provider keeps them.

/** A file that the provider hands out. */
export interface OpenFile {
  readonly size: number
  chunks(): AsyncIterable<Uint8Array>
}

export interface StoredFiles {
  /** What the entries' `provider` says. */
  readonly provider: string
  /** Undefined where it is gone, or is kept where this server does not read. */
  open(key: string): Promise<OpenFile | undefined>
  /** Resolves with the address under which clients find it. */
  store(key: string, file: OpenFile): Promise<string>
}

const KEY = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}$/

/** A key is one step of a path, whatever the archive says. */
export function isFileKey(key: string): boolean {
  return KEY.test(key) && !key.includes('..')
}
