// The dependencies of a read: the versions of content that change whenever its result may have changed.

/** A number that grows whenever the response may have changed; undefined while that cannot be known. */
export type Version = () => number | undefined

/** The dependencies of a response. Each part is added before it is read: a later write makes the response stale, never wrong. */
export class Dependencies {
  private readonly parts: Version[] = []
  private sum: number | undefined = 0

  add(version: Version): void {
    this.parts.push(version)
    this.sum = plus(this.sum, version())
  }

  /** The response depends on more than can be told: it is not cached. */
  addUnknown(): void {
    this.sum = undefined
  }

  get areKnown(): boolean {
    return this.sum !== undefined
  }

  /** The versions only grow, so an equal sum means that none has changed. */
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
