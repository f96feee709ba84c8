// Shared by the declarations of a model: the names of content-types and components, and which components drafts may
// have.

import { listComponents } from '../model/attribute-targets.ts'
import type { AttributeHolder } from '../model/content-type.ts'
import type { Model } from '../model/model.ts'
import { isContentType } from '../plan/find-attribute.ts'
import { typeNames } from './type-names.ts'

export interface DeclarationContext {
  getName(holder: AttributeHolder): string
  /** Whether entries that hold it may be drafts: then what is required may be missing. */
  mayBeDraft(holder: AttributeHolder): boolean
  /** Whether entries are documents, as in `strapi-5`. */
  readonly documents: boolean
  /** `rest.withCount` */
  readonly withCount: boolean
}

/** `Article` is declared as `Article`, `ArticleFields`, `ArticleEntity` and so on. */
const endings = ['Fields', 'Attributes', 'Entity', 'Input', 'Update', 'Shape', 'Filters', 'Sort', 'Populate']

/** `reserved`: names that the declarations stand beside. */
export function startDeclaring(
  model: Model,
  withCount: boolean,
  reserved: Iterable<string>,
): DeclarationContext {
  const names = typeNames(model, { reserved, endings })
  const ofDrafts = new Set<AttributeHolder>()
  const add = (holder: AttributeHolder): void => {
    if (ofDrafts.has(holder)) return
    ofDrafts.add(holder)
    for (const component of [...holder.attributes.values()].flatMap(listComponents)) add(component)
  }
  for (const type of model.contentTypes.values()) if (type.draftAndPublish) add(type)
  return {
    getName: (holder) => names.get(holder) ?? 'unknown',
    mayBeDraft: (holder) => ofDrafts.has(holder),
    documents: model.apiVersion.documents,
    withCount,
  }
}

/** Whether its entries have a `documentId`; those of components have none. */
export function isDocument(holder: AttributeHolder): boolean {
  return isContentType(holder) && holder.document !== undefined
}
