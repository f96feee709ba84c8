// Text: string, text and richtext differ only in the admin panel. The other text types extend this record.

import { toJsonText } from '../lib/json-text.ts'
import { compileLinearRegex } from '../lib/linear-regex.ts'
import type { AttributeType, CheckResult, Constraints } from './attribute-type.ts'
import { defaultText, lengthKeys, searchedKeys } from './config-keys.ts'
import { bad, describeWrongType } from './faults.ts'

export const string: AttributeType = {
  config: {
    definition: 'textAttribute',
    description: 'Text.',
    typeDescription:
      '`string` is one line, `text` several, `richtext` Markdown, `email` an address; a `password` is hashed and never answered.',
    required: [],
    keys: { default: { description: defaultText, type: 'string' }, ...lengthKeys, ...searchedKeys },
  },
  example: undefined,
  wanted: (value) => (typeof value === 'string' ? undefined : 'text'),
  bound: undefined,
  unique: 'possible',
  secret: false,
  slug: false,
  sluggable: true,
  atMoment: undefined,
  check: checkText,
  checkVersion: (constraints, label, value) => checkText(constraints, label, value, true),
  cast: String,
  yupType: 'string',
  search: 'text',
  inExpressions: 'text',
  column: 'text',
  decode: (stored) => stored,
  toJson: (stored) => (typeof stored === 'string' ? toJsonText(stored) : JSON.stringify(stored)),
  graphql: 'String',
  jsonSchema: { type: 'string' },
  typeScript: { answered: 'string', taken: 'string' },
}

export const text: AttributeType = string

export const richtext: AttributeType = string

function checkText(constraints: Constraints, label: string, value: unknown, draft: boolean): CheckResult {
  if (typeof value !== 'string') return bad(describeWrongType(label, 'string', value, constraints.private))
  if (value.includes('\0')) return bad(`${label} must not contain NUL characters`)
  const { minLength, maxLength, regex } = constraints
  const faults: string[] = []
  if (minLength !== undefined && !draft && value.length < minLength) {
    faults.push(`${label} must be at least ${minLength} characters`)
  }
  if (maxLength !== undefined && value.length > maxLength) {
    faults.push(`${label} must be at most ${maxLength} characters`)
  }
  if (regex !== undefined && value !== '' && !matches(constraints, regex, value)) {
    faults.push(`${label} must match the following: "/${regex}/"`)
  }
  return { value, faults }
}

const compiled = new WeakMap<Constraints, (value: string) => boolean>()

/** RE2 runs in linear time. A pattern that it cannot express was reported at load and runs on short values only. */
function matches(constraints: Constraints, source: string, value: string): boolean {
  let test = compiled.get(constraints)
  if (test === undefined) {
    test = compileRegex(source)
    compiled.set(constraints, test)
  }
  return test(value)
}

const MAX_BACKTRACKING_LENGTH = 256

function compileRegex(source: string): (value: string) => boolean {
  try {
    return compileLinearRegex(source)
  } catch {
    const backtracking = new RegExp(source)
    return (value) => value.length <= MAX_BACKTRACKING_LENGTH && backtracking.test(value)
  }
}
