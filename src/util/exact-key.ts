// A value -> text that no other value has, as the key under which something made of the value is kept. JSON is no such
// text: it writes what is left out, null, NaN and Infinity alike, -0 as 0, and a Date or a Map as something else.

const DEEPEST = 100

/**
 * The same text for equal plain values (what JSON can hold, undefined, every number, bigint) and different texts for
 * different ones; the order of an object's keys counts. Undefined: the value is not plain, nested too deeply, or its text
 * would be longer than `longest`, so that nothing may be kept under it.
 */
export function exactKey(value: unknown, longest = Number.POSITIVE_INFINITY): string | undefined {
  let text = ''

  /** Answers whether the value could be written. */
  function write(part: unknown, depth: number): boolean {
    if (text.length > longest || depth > DEEPEST) return false
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

/** A number for an object, for as long as it lives: objects in keys that are texts. */
export function objectId(object: object): number {
  let id = ids.get(object)
  if (id === undefined) {
    last += 1
    id = last
    ids.set(object, id)
  }
  return id
}
