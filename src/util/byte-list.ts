// Chunks of bytes in their order. Small ones are copied together: a sender of single bytes must not cost an object each.

/** From here on a chunk is worth an object of its own. */
const LARGE = 16 * 1024
const BLOCK = 16 * 1024

export class ByteList {
  /** Bytes in it. */
  length = 0
  private readonly chunks: Uint8Array[] = []
  /** The last chunk, while there is room behind its bytes. */
  private block: Uint8Array | undefined
  private used = 0

  /** The chunk must not change any more. */
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
    // What comes in one chunk, as most bodies do, is not copied.
    if (this.chunks.length === 0 || rest.length >= LARGE) {
      this.chunks.push(rest)
      return
    }
    this.block = Buffer.allocUnsafeSlow(BLOCK)
    this.block.set(rest)
    this.used = rest.length
  }

  /** The first bytes, as many as lie together. */
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

  /** All of it; the pieces are not kept beside it. */
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
