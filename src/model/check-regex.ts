// Checks the pattern of a text attribute: it must compile, and it should be matchable in linear time.

import { compileLinearRegex } from '../util/linear-regex.ts'
import type { Fault } from './checking.ts'
import type { AttributeSource } from './type-source.ts'

/** Returns a test of values against the attribute's pattern; undefined when the pattern is missing or invalid. */
export function checkRegex(
  { config, path }: AttributeSource,
  fault: Fault,
): ((value: string) => boolean) | undefined {
  const { regex } = config
  if (regex === undefined) return undefined
  const regexPath = [...path, 'regex']
  let pattern: RegExp
  try {
    pattern = new RegExp(regex)
  } catch (error) {
    fault('MOD043', regexPath, `the regular expression does not compile: ${reasonOf(error, regex)}`)
    return undefined
  }
  try {
    return compileLinearRegex(regex)
  } catch {
    const message =
      'the regular expression cannot be matched in linear time, and values of more than 256 characters never match it'
    fault('MOD044', regexPath, message, {
      severity: 'warning',
      help: 'write it without lookarounds and backreferences',
    })
    return (value) => pattern.test(value)
  }
}

/** V8's message without the pattern, which the report shows anyway. */
function reasonOf(error: unknown, regex: string): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.replace('Invalid regular expression: ', '').replace(`/${regex}/: `, '').toLowerCase()
}
