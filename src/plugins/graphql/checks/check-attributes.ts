// Finds attributes that GraphQL cannot express: invalid enum values, and attributes named like operators.

import type { CheckContext } from '../../../model/checking.ts'
import type { AttributeSource } from '../../../model/type-source.ts'
import { getEnumValue } from '../graphql-names.ts'

export function checkAttributes(checking: CheckContext): void {
  const { sources } = checking
  for (const { attributes } of [...sources.types.values(), ...sources.components.values()]) {
    for (const attribute of attributes) {
      checkEnumValues(attribute, checking)
      checkInputName(attribute, checking)
    }
  }
}

const ENUM_VALUE = /^(?!__)[A-Za-z_][A-Za-z0-9_]*$/
const takenValues: ReadonlySet<string> = new Set(['true', 'false', 'null'])

function checkEnumValues({ config, path }: AttributeSource, { fault }: CheckContext): void {
  if (config.type !== 'enumeration') return
  const owners = new Map<string, string>()
  for (const [index, value] of (config.enum ?? []).entries()) {
    const name = getEnumValue(value)
    const owner = owners.get(name)
    const valuePath = [...path, 'enum', index]
    if (!ENUM_VALUE.test(name) || takenValues.has(name)) {
      fault('MOD053', valuePath, `"${value}" cannot be a value of a GraphQL enumeration`, {
        help: 'begin with a Latin letter; true, false and null are taken',
      })
    } else if (owner !== undefined) {
      fault('MOD053', valuePath, `GraphQL would call both "${owner}" and "${value}" ${name}`)
    } else owners.set(name, value)
  }
}

const filterWords: ReadonlySet<string> = new Set(['and', 'or', 'not'])

function checkInputName({ name, path }: AttributeSource, { fault }: CheckContext): void {
  if (!filterWords.has(name)) return
  fault('MOD054', path, `"${name}" is a word of GraphQL's filters`, {
    at: 'key',
    help: 'rename the attribute, or switch the graphql plugin off',
  })
}
