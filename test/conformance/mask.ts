// Values that change from run to run are taken out of both answers where both have them: `$.data[0].id`,
// `$.errors[*].path`; `$` is the body. Masks of headers name what is not compared anyway.

const MASKED = '<masked>'

export function maskPaths(
  masks: readonly string[],
  expected: unknown,
  actual: unknown,
): readonly [unknown, unknown] {
  const copies: readonly [unknown, unknown] = [structuredClone(expected), structuredClone(actual)]
  for (const mask of masks) {
    if (!mask.startsWith('$')) continue
    const steps = mask.match(/[^.[\]$]+/g) ?? []
    maskStep(copies[0], copies[1], steps)
  }
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

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
