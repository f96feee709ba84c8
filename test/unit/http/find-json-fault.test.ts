import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findJsonFault } from '../../../src/http/body/find-json-fault.ts'

const parses = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test('of JSON all is taken', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(findJsonFault(text)).toBe(text.length)
    }),
  )
})

test('a fault is found exactly where JSON.parse finds one', () => {
  const character = fc.oneof(
    fc.constantFrom('{', '}', '[', ']', '"', '\\', 'u', ',', '0', '\n'),
    fc.string({ maxLength: 1 }),
  )
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.nat(2), character, (json, place, removed, inserted) => {
      const at = place % json.length
      const text = json.slice(0, at) + inserted + json.slice(at + removed)
      fc.pre(!parses(text))
      const fault = findJsonFault(text)
      const before = text.slice(0, fault)
      // What is before the fault can be completed; with the character at the fault it cannot.
      expect(endings(text).some((ending) => parses(before + ending))).toBe(true)
      if (fault < text.length) {
        expect(endings(text).some((ending) => parses(text.slice(0, fault + 1) + ending))).toBe(false)
      }
    }),
    { numRuns: 1000 },
  )
})

/** Everything that could end a text cut anywhere: what is open, after what the cut token may still need. */
function endings(text: string): string[] {
  const tokens = [
    '',
    '0',
    '"',
    'x"',
    '0"',
    '00"',
    '000"',
    '0000"',
    '0"',
    '\\"',
    '""',
    '"":0',
    ':0',
    '":0',
    ...words(),
  ]
  const closers = new Set<string>()
  for (let cut = 0; cut <= text.length; cut += 1) closers.add(closersOf(text.slice(0, cut)))
  return [...closers].flatMap((closer) => tokens.flatMap((token) => [token + closer, `${token}:0${closer}`]))
}

function words(): string[] {
  return ['true', 'false', 'null'].flatMap((word) => [...word].map((_, index) => word.slice(index)))
}

function closersOf(text: string): string {
  const open: string[] = []
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{}]/gs)) {
    if (token === '[') open.unshift(']')
    else if (token === '{') open.unshift('}')
    else if (token === ']' || token === '}') open.shift()
  }
  return open.join('')
}
