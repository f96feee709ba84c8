// An answer against what a case expects of it. `"<datetime>"`, `"<id>"` and `"<any>"` stand for values that change
// from run to run; `"...": true` in an object allows keys that are not named.

const DATETIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Paths at which the two differ, each with what was expected and what came; empty when they agree. */
export function mismatches(expected: unknown, actual: unknown, path = '$'): string[] {
  if (expected === '<any>') return []
  if (expected === '<datetime>' && typeof actual === 'string' && DATETIME.test(actual)) return []
  if (expected === '<id>' && typeof actual === 'number' && Number.isInteger(actual)) return []
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return [difference(path, expected, actual)]
    if (expected.length !== actual.length)
      return [difference(`${path}.length`, expected.length, actual.length)]
    return expected.flatMap((element, index) => mismatches(element, actual[index], `${path}[${index}]`))
  }
  if (isObject(expected)) {
    if (!isObject(actual)) return [difference(path, expected, actual)]
    const { '...': open, ...named } = expected
    const missing = Object.keys(named).filter((key) => !Object.hasOwn(actual, key))
    const extra = open === true ? [] : Object.keys(actual).filter((key) => !Object.hasOwn(named, key))
    return [
      ...missing.map((key) => `${path}.${key}: missing`),
      ...extra.map((key) => `${path}.${key}: unexpected ${JSON.stringify(actual[key])}`),
      ...Object.keys(named)
        .filter((key) => Object.hasOwn(actual, key))
        .flatMap((key) => mismatches(named[key], actual[key], `${path}.${key}`)),
    ]
  }
  return Object.is(expected, actual) ? [] : [difference(path, expected, actual)]
}

function difference(path: string, expected: unknown, actual: unknown): string {
  return `${path}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
