// Tracks the dependencies of a read: versions of content that change whenever its result may have changed.

/** Grows whenever the response may have changed; undefined if that is unknown. */
export type Version = () => number | undefined

/** Each part is added before it is read: a later write makes the response stale, never wrong. */
export class Dependencies {
  private readonly parts: Version[] = []
  private sum: number | undefined = 0

  add(version: Version): void {
    this.parts.push(version)
    this.sum = plus(this.sum, version())
  }

  /** The response is not cached, because its dependencies are unknown. */
  addUnknown(): void {
    this.sum = undefined
  }

  get areKnown(): boolean {
    return this.sum !== undefined
  }

  /** The versions only grow, so an equal sum means no change. */
  get areCurrent(): boolean {
    if (this.sum === undefined) return false
    let now: number | undefined = 0
    for (const part of this.parts) now = plus(now, part())
    return now === this.sum
  }
}

function plus(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one + other
}
