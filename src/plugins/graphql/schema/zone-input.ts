// `<Name><Attribute>DynamicZoneInput`: a component of a zone; `__typename` says which.

import { GraphQLScalarType, Kind, valueFromASTUntyped } from 'graphql'
import type { DynamicZoneAttribute } from '../../../model/attribute.ts'
import { nameOfComponent } from '../../../model/naming.ts'
import { isRecord } from '../../../util/is-record.ts'
import { graphqlZoneName } from '../graphql-names.ts'

export function zoneInput(holderName: string, attribute: DynamicZoneAttribute): GraphQLScalarType {
  const uids = new Map(attribute.components.map((component) => [nameOfComponent(component), component.uid]))
  const parse = (value: unknown): unknown => {
    if (!isRecord(value)) throw new TypeError('A component of a dynamic zone must be an object')
    const { __typename: name, ...rest } = value
    const uid = typeof name === 'string' ? uids.get(name) : undefined
    if (uid === undefined) {
      throw new TypeError(`Component not found. expected one of: ${[...uids.keys()].join(', ')}`)
    }
    return { ...rest, __component: uid }
  }
  return new GraphQLScalarType({
    name: `${graphqlZoneName(holderName, attribute.name)}Input`,
    parseValue: parse,
    parseLiteral(node, variables) {
      // For undefined, graphql-js reports which type it expected.
      return node.kind === Kind.OBJECT ? parse(valueFromASTUntyped(node, variables)) : undefined
    },
  })
}
