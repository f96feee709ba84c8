// Finds content-types, components and attributes that a configuration lacks, or has with another type.

import type { Config } from '../../../config/config.ts'
import type { Attribute, Schema } from '../../../model/attribute.ts'
import type { Model } from '../../../model/model.ts'

export const ADDITION_GROUPS = ['contentTypes', 'components', 'attributes', 'routes', 'code'] as const

export interface Addition {
  readonly group: (typeof ADDITION_GROUPS)[number]
  /** `api::note.note`, `api::note.note.title`, `GET /notes/mine`, `./src/api/note/services/note.js`. */
  readonly name: string
  readonly message: string
}

interface ComparedFile {
  readonly config: Config
  readonly model: Model
}

/** What only the file has is left alone: people add to it. */
export function findNewSchemas(project: ComparedFile, file: ComparedFile): readonly Addition[] {
  return (['contentTypes', 'components'] as const).flatMap((group) => {
    const known = [...file.model[group].values()]
    return Object.keys(project.config[group]).flatMap((uid): readonly Addition[] => {
      const schema = project.model[group].get(uid)
      if (schema === undefined) return []
      const found = known.find((one) => one.uid === uid || one.renamedFrom === uid)
      return found === undefined
        ? [{ group, name: uid, message: `${uid} is new` }]
        : findNewAttributes(schema, found)
    })
  })
}

function findNewAttributes(schema: Schema, known: Schema): readonly Addition[] {
  const inFile = [...known.attributes.values()]
  return [...schema.attributes.values()].flatMap((attribute): readonly Addition[] => {
    if (attribute.declared === undefined) return []
    const { name } = attribute
    const found = inFile.find((one) => one.name === name || one.renamedFrom === name)
    const message = describeDifference(attribute, found)
    return message === undefined
      ? []
      : [{ group: 'attributes', name: `${schema.uid}.${name}`, message: `${schema.uid}.${name} ${message}` }]
  })
}

function describeDifference(attribute: Attribute, found: Attribute | undefined): string | undefined {
  const type = describeType(attribute)
  if (found === undefined) return `is new: ${type}`
  const known = describeType(found)
  if (type !== known) return `is ${type} in the project, and ${known} in the file`
  const values = listChoices(found)
  const added = listChoices(attribute).filter((value) => !values.includes(value))
  return added.length === 0 ? undefined : `may also be ${added.join(', ')} in the project`
}

function describeType(attribute: Attribute): string {
  switch (attribute.kind) {
    case 'relation':
      return `${attribute.relation}${attribute.target === undefined ? '' : ` to ${attribute.target.uid}`}`
    case 'component':
      return `${attribute.repeatable ? 'a list of ' : ''}${attribute.component.uid}`
    case 'media':
      return attribute.multiple ? 'several media' : 'media'
    default:
      return attribute.type
  }
}

/** Values of an enumeration, and components of a dynamic zone. */
function listChoices(attribute: Attribute): readonly string[] {
  if (attribute.kind === 'dynamiczone') return attribute.components.map(({ uid }) => uid)
  return attribute.declared?.enum ?? []
}
