// Packs rectangles beside and below each other, so that together they fill a space of given proportions.

interface Size {
  readonly width: number
  readonly height: number
}

interface Place {
  readonly x: number
  readonly y: number
}

interface Placed extends Size, Place {}

/** `aspect`: width to height. The places are in the order of the sizes; larger ones are placed first. */
export function packGroups(sizes: readonly Size[], aspect: number): readonly Place[] {
  const placed = new Map<number, Placed>()
  const order = [...sizes.keys()].toSorted((a, b) => getArea(sizes[b]) - getArea(sizes[a]))
  let width = 0
  let height = 0
  for (const index of order) {
    const size = sizes[index] ?? { width: 0, height: 0 }
    const others = [...placed.values()]
    const best = listCorners(others)
      .filter((corner) => !others.some((other) => overlaps({ ...corner, ...size }, other)))
      .map((corner) => {
        const right = Math.max(width, corner.x + size.width)
        const bottom = Math.max(height, corner.y + size.height)
        // The size of the whole counts first; then what is near the top left corner.
        return { corner, cost: Math.max(right / aspect, bottom) + (corner.x / aspect + corner.y) / 1e4 }
      })
      .reduce((least, one) => (one.cost < least.cost ? one : least), {
        corner: { x: 0, y: height },
        cost: Number.POSITIVE_INFINITY,
      }).corner
    placed.set(index, { ...best, ...size })
    width = Math.max(width, best.x + size.width)
    height = Math.max(height, best.y + size.height)
  }
  return [...sizes.keys()].map((index) => placed.get(index) ?? { x: 0, y: 0 })
}

function getArea(size: Size | undefined): number {
  return size === undefined ? 0 : size.width * size.height
}

function listCorners(others: readonly Placed[]): readonly Place[] {
  const xs = [0, ...others.map(({ x, width }) => x + width)]
  const ys = [0, ...others.map(({ y, height }) => y + height)]
  return xs.flatMap((x) => ys.map((y) => ({ x, y })))
}

function overlaps(a: Placed, b: Placed): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}
