// The `ETag` of an entry's version (RFC 9110, 8.8.3), which conditions of writes name.

const TAG = /^(?:W\/)?"(\d{1,15})(?:-[^"]*)?"$/

/** A cached response adds a hash of its text, which conditions ignore. */
export function buildVersionTag(version: number): string {
  return `"${version}"`
}

/** Undefined for a tag of something else. */
export function parseVersionTag(tag: string): number | undefined {
  const [, number] = TAG.exec(tag.trim()) ?? []
  return number === undefined ? undefined : Number(number)
}
