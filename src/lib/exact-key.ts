// Encodes a value as a unique cache key. JSON is not unique: it writes undefined, null, NaN and Infinity
// alike, -0 as 0, and a Date or a Map like another value.

const MAX_DEPTH = 100

/**
 * The order of an object's keys counts. Returns undefined when the value is not plain (JSON, undefined,
 * numbers, bigint), is nested too deeply, or is longer than `longest`: it must not be cached then.
 */
export function buildExactKey(value: unknown, longest = Number.POSITIVE_INFINITY): string | undefined {
  let text = ''

  function write(part: unknown, depth: number): boolean {
    if (text.length > longest || depth > MAX_DEPTH) return false
    switch (typeof part) {
      case 'string':
        if (part.length > longest) return false
        text += JSON.stringify(part)
        return true
      case 'number':
        text += Object.is(part, -0) ? '-0' : part
        return true
      case 'bigint':
        text += `${part}n`
        return true
      case 'boolean':
      case 'undefined':
        text += part
        return true
      case 'object':
        if (part === null) text += 'null'
        else if (Array.isArray(part)) return writeList(part, depth)
        else return writeObject(part, depth)
        return true
      default:
        return false
    }
  }

  function writeList(list: readonly unknown[], depth: number): boolean {
    text += '['
    for (const element of list) {
      if (!write(element, depth + 1)) return false
      text += ','
    }
    text += ']'
    return true
  }

  function writeObject(object: object, depth: number): boolean {
    const prototype: unknown = Object.getPrototypeOf(object)
    if (prototype !== Object.prototype && prototype !== null) return false
    text += '{'
    for (const [key, part] of Object.entries(object)) {
      text += `${JSON.stringify(key)}:`
      if (!write(part, depth + 1)) return false
      text += ','
    }
    text += '}'
    return true
  }

  return write(value, 0) && text.length <= longest ? text : undefined
}

const ids = new WeakMap<object, number>()
let last = 0

/** Identifies an object during its lifetime, for text keys. */
export function getObjectId(object: object): number {
  let id = ids.get(object)
  if (id === undefined) {
    last += 1
    id = last
    ids.set(object, id)
  }
  return id
}
