// Shared by the declarations of a model: the type names, and which components drafts may have.

import { listComponents } from '../model/attribute-targets.ts'
import type { Schema } from '../model/content-type.ts'
import type { Model } from '../model/model.ts'
import { isContentType } from '../plan/find-attribute.ts'
import { typeNames } from './type-names.ts'

export interface DeclarationContext {
  getName(schema: Schema): string
  mayBeDraft(schema: Schema): boolean
  readonly documents: boolean
  readonly withCount: boolean
}

/** `Article` is declared as `Article`, `ArticleFields`, `ArticleEntity` and so on. */
const endings = ['Fields', 'Attributes', 'Entity', 'Input', 'Update', 'Shape', 'Filters', 'Sort', 'Populate']

/** `reserved`: other names in the same file. */
export function startDeclaring(
  model: Model,
  withCount: boolean,
  reserved: Iterable<string>,
): DeclarationContext {
  const names = typeNames(model, { reserved, endings })
  const ofDrafts = new Set<Schema>()
  const add = (schema: Schema): void => {
    if (ofDrafts.has(schema)) return
    ofDrafts.add(schema)
    for (const component of [...schema.attributes.values()].flatMap(listComponents)) add(component)
  }
  for (const type of model.contentTypes.values()) if (type.draftAndPublish) add(type)
  return {
    getName: (schema) => names.get(schema) ?? 'unknown',
    mayBeDraft: (schema) => ofDrafts.has(schema),
    documents: model.apiVersion.documents,
    withCount,
  }
}

export function isDocument(schema: Schema): boolean {
  return isContentType(schema) && schema.document !== undefined
}
