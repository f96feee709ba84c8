// Copies an object from a program if YAML would read it unchanged, which saves writing and parsing it.

import { MAX_YAML_BYTES } from './yaml/parse-yaml.ts'

/** Levels; the parser reads more. */
const MAX_DEPTH = 32
/** Characters of a key; YAML takes up to 1,024. */
const MAX_KEY_LENGTH = 500
/** Excludes control characters, line separators, byte order marks and lone surrogates. */
const PLAIN =
  /^[\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufdcf\ufdf0-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]*$/u
const PLAIN_KEY = /^(?!__proto__$|constructor$|prototype$|<<$)[^\t\n]+$/

export function copyPlainValue(object: unknown): unknown {
  const copying: CopyContext = { room: MAX_YAML_BYTES }
  return isMap(object) ? copyValue(object, 0, copying) : undefined
}

interface CopyContext {
  /** The characters of YAML that are left, counting the longest way to write the value. */
  room: number
}

function copyValue(value: unknown, depth: number, copying: CopyContext): unknown {
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'number') return isPlainNumber(value) ? value : undefined
  if (typeof value === 'string') return takes(value, depth, copying) ? value : undefined
  if (depth >= MAX_DEPTH) return undefined
  if (Array.isArray(value)) return copyOfList(value, depth, copying)
  return isMap(value) ? copyOfMap(value, depth, copying) : undefined
}

function copyOfList(list: readonly unknown[], depth: number, copying: CopyContext): unknown[] | undefined {
  const copy: unknown[] = []
  // By its length: a list may have holes.
  for (let index = 0; index < list.length; index++) {
    const item = takes('', depth, copying) ? copyValue(list[index], depth + 1, copying) : undefined
    if (item === undefined) return undefined
    copy.push(item)
  }
  return copy
}

function copyOfMap(
  map: Readonly<Record<string, unknown>>,
  depth: number,
  copying: CopyContext,
): Record<string, unknown> | undefined {
  const copy: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(map)) {
    // YAML also omits undefined values.
    if (value === undefined) continue
    const isPlainKey = key.length <= MAX_KEY_LENGTH && PLAIN_KEY.test(key) && takes(key, depth, copying)
    const item = isPlainKey ? copyValue(value, depth + 1, copying) : undefined
    if (item === undefined) return undefined
    copy[key] = item
  }
  return copy
}

/** Each character may be escaped, each line is indented. */
function takes(text: string, depth: number, copying: CopyContext): boolean {
  const lines = text.includes('\n') ? text.split('\n').length : 1
  copying.room -= 2 * text.length + lines * (2 * depth + 8)
  return copying.room > 0 && PLAIN.test(text)
}

/** Leaves integers that lose digits, and values that are not finite, to YAML. */
function isPlainNumber(value: number): boolean {
  return Number.isInteger(value)
    ? Number.isSafeInteger(value) && !Object.is(value, -0)
    : Number.isFinite(value)
}

/**
 * Accepts object literals only, since YAML writes instances of other classes by their own methods. Literals of
 * another realm (a test runner's) count, too.
 */
function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
