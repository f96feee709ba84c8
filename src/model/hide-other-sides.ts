// Makes the other side of a private relation private, because it would reveal the same links; an explicit
// `private: false` prevents this.

import type { RelationAttribute } from './attribute.ts'
import type { CheckContext } from './checking.ts'
import type { SchemaDrafts } from './schema-drafts.ts'
import type { AttributeSource } from './type-source.ts'

interface Side {
  readonly uid: string
  readonly source: AttributeSource
  readonly attribute: { -readonly [Key in keyof RelationAttribute]: RelationAttribute[Key] }
}

/** Requires linked relations. */
export function hideOtherSides({ schemas, fault }: Pick<CheckContext, 'schemas' | 'fault'>): void {
  const sides = listRelations(schemas)
  const byAttribute = new Map(sides.map((side) => [side.attribute as RelationAttribute, side]))
  const hidden = sides.filter(({ attribute }) => attribute.private)
  const open = ({ source, attribute }: Side): boolean => !attribute.private && source.config.private !== false
  // A morphToOne or morphToMany attribute may have several other sides.
  const shows = (side: Side): readonly Side[] =>
    sides.filter(({ attribute }) => attribute.inverse === side.attribute)
  for (const side of hidden) {
    const label = `"${side.attribute.name}" of ${side.uid}`
    for (const other of shows(side).filter(open)) {
      other.attribute.private = true
      fault(
        'MOD035',
        other.source.path,
        `"${other.attribute.name}" is private, as its other side is: ${label}`,
        {
          at: 'key',
          severity: 'warning',
          help: 'write "private: true" to say so, or "private: false" to show the links from this side',
        },
      )
    }
    const { inverse } = side.attribute
    const pointing =
      inverse?.target === undefined && inverse !== undefined ? byAttribute.get(inverse) : undefined
    if (pointing === undefined || !open(pointing)) continue
    fault('MOD035', pointing.source.path, `"${inverse?.name}" shows the links that ${label} hides`, {
      at: 'key',
      severity: 'warning',
      help: 'write "private: true" to hide them, or "private: false" to show them from this side',
    })
  }
}

function listRelations({ types }: SchemaDrafts): readonly Side[] {
  return [...types.values()].flatMap(({ built, source, attributes }) =>
    source.attributes.flatMap((attributeSource) => {
      const attribute = attributes.get(attributeSource.name)
      return attribute?.kind === 'relation' ? [{ uid: built.uid, source: attributeSource, attribute }] : []
    }),
  )
}
