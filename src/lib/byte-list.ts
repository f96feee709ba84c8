// Holds a list of byte chunks; small ones are copied together, so that single bytes do not cost an object
// each.

/** Larger chunks are not copied. */
const MIN_LARGE_BYTES = 16 * 1024
const BLOCK_BYTES = 16 * 1024

export class ByteList {
  length = 0
  private readonly chunks: Uint8Array[] = []
  private block: Uint8Array | undefined
  private used = 0

  /** The caller must not change the chunk afterwards. */
  add(chunk: Uint8Array): void {
    this.length += chunk.length
    let rest = chunk
    if (this.block !== undefined) {
      const fitting = rest.subarray(0, this.block.length - this.used)
      this.block.set(fitting, this.used)
      this.used += fitting.length
      rest = rest.subarray(fitting.length)
      if (rest.length === 0) return
      this.closeBlock()
    }
    // Most bodies arrive in one chunk.
    if (this.chunks.length === 0 || rest.length >= MIN_LARGE_BYTES) {
      this.chunks.push(rest)
      return
    }
    this.block = Buffer.allocUnsafeSlow(BLOCK_BYTES)
    this.block.set(rest)
    this.used = rest.length
  }

  take(): Uint8Array | undefined {
    if (this.chunks.length === 0) this.closeBlock()
    const first = this.chunks.shift()
    this.length -= first?.length ?? 0
    return first
  }

  clear(): void {
    this.chunks.length = 0
    this.block = undefined
    this.length = 0
  }

  /** The result replaces the chunks in the list. */
  joined(): Uint8Array {
    this.closeBlock()
    const [only] = this.chunks
    if (this.chunks.length === 1 && only !== undefined) return only
    const whole = Buffer.concat(this.chunks)
    this.chunks.splice(0, this.chunks.length, whole)
    return whole
  }

  private closeBlock(): void {
    if (this.block === undefined) return
    this.chunks.push(this.block.subarray(0, this.used))
    this.block = undefined
  }
}
