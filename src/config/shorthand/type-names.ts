// Converts camelCase names of content-types and components to kebab-case.

import { toKebabCase } from '../../lib/kebab-case.ts'
import type { Expansion } from './expansion.ts'

const CAMEL_CASE = /^[A-Za-z][A-Za-z0-9]*[A-Z][A-Za-z0-9]*$|^[A-Z][a-z0-9]*$/

export function expandTypeNames(expansion: Expansion): void {
  for (const section of ['contentTypes', 'singleTypes', 'components']) {
    for (const [written] of expansion.entries([section])) {
      const name = toKebabName(written)
      if (name === written) continue
      if (expansion.at([section, name]) === undefined) expansion.rename([section, written], name)
      else
        expansion.refuse(
          [section, written],
          'CFG050',
          [],
          `"${written}" is the same name as "${name}"`,
          'join the two, or give one of them another name',
        )
    }
  }
  for (const section of [['data'], ['data', 'fake']]) {
    for (const [written] of expansion.entries(section)) {
      const name = toKebabName(written)
      if (name !== written && expansion.at([...section, name]) === undefined)
        expansion.rename([...section, written], name)
    }
  }
}

export function toKebabName(written: string): string {
  return CAMEL_CASE.test(written) ? toKebabCase(written) : written
}
