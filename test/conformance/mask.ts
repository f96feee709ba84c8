// Values that change from run to run are taken out of both answers where both have them: `$.data[0].id`,
// `$.errors[*].path`; `$` is the body. Masks of headers name what is not compared anyway.

import type { RecordedCase } from './recorded-case.ts'

const MASKED = '<masked>'

export function maskPaths(
  { masks = [], note = '' }: Pick<RecordedCase, 'masks' | 'note'>,
  expected: unknown,
  actual: unknown,
): readonly [unknown, unknown] {
  const copies: readonly [unknown, unknown] = [structuredClone(expected), structuredClone(actual)]
  for (const mask of masks) {
    if (!mask.startsWith('$')) continue
    const steps = mask.match(/[^.[\]$]+/g) ?? []
    maskStep(copies[0], copies[1], steps)
  }
  maskChance(copies[0], copies[1])
  if (LIBRARY.test(note)) maskFormatSizes(copies[0], copies[1])
  return copies
}

function maskStep(expected: unknown, actual: unknown, steps: readonly string[]): void {
  const [step, ...rest] = steps
  if (step === undefined || !isContainer(expected) || !isContainer(actual)) return
  const keys = step === '*' ? Object.keys(expected) : [step]
  for (const key of keys) {
    if (!Object.hasOwn(expected, key) || !Object.hasOwn(actual, key)) continue
    if (rest.length > 0) {
      maskStep(expected[key], actual[key], rest)
      continue
    }
    expected[key] = MASKED
    actual[key] = MASKED
  }
}

/** The random end of a file's name; those of seeded files are chosen and count. */
const RANDOM_END = /(?:^|_)(?!0{6})[0-9a-f]{10}(?=\.\w+$|$)/
/** Moments of the day on which the answers were recorded. */
const RECORDING = /^2026-11-2[12]T/
const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/

/** What chance and the clock made, where both sides have it. */
function maskChance(expected: unknown, actual: unknown): void {
  if (!isContainer(expected) || !isContainer(actual)) return
  for (const key of Object.keys(expected)) {
    const [one, other] = [expected[key], actual[key]]
    if (typeof one !== 'string' || typeof other !== 'string') maskChance(one, other)
    else if (key === 'hash' || key === 'url') {
      if (!RANDOM_END.test(one) || !RANDOM_END.test(other)) continue
      expected[key] = one.replace(RANDOM_END, MASKED)
      actual[key] = other.replace(RANDOM_END, MASKED)
    } else if ((key === 'createdAt' || key === 'updatedAt') && RECORDING.test(one) && MOMENT.test(other)) {
      expected[key] = MASKED
      actual[key] = MASKED
    }
  }
}

/** What the recording says of some cases. */
const LIBRARY = /byte sizes of generated formats depend on the image library/

function maskFormatSizes(expected: unknown, actual: unknown): void {
  if (!isContainer(expected) || !isContainer(actual)) return
  for (const key of Object.keys(expected)) {
    if (Object.hasOwn(expected, 'sizeInBytes') && (key === 'size' || key === 'sizeInBytes')) {
      expected[key] = MASKED
      if (typeof actual[key] === 'number') actual[key] = MASKED
    } else maskFormatSizes(expected[key], actual[key])
  }
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
