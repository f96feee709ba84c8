// The statements and tables that writes use.

import type { Expression } from '../expressions/expression.ts'
import type { Access } from '../model/access.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Model } from '../model/model.ts'
import type { LinkWrite, MorphWrite } from '../plan/write/write-plan.ts'
import { type BrokenRead, createBrokenReads } from '../query/broken-reads.ts'
import type { Work } from '../storage/database.ts'
import type { ModelLayout } from '../storage/sql/build-layout.ts'
import { createWriteStatements, type WriteStatements } from '../storage/sql/compile-write.ts'
import type { Dialect } from '../storage/sql/dialect.ts'
import {
  createLinkedTo,
  createLinksTo,
  createOneWayTo,
  type LinksTo,
  type OwnedLinks,
} from './links-to-documents.ts'

export interface Storage
  extends Pick<ModelLayout, 'getLinkTable' | 'getMorphs' | 'morphTables' | 'getPlaces' | 'getTogether'> {
  readonly statements: WriteStatements
  /** Links from rows without versions to documents of the type. */
  readonly linksTo: LinksTo
  /** Links to documents of the type from relations without an inverse there. */
  readonly oneWayTo: LinksTo
  /** Links of entries to those of the type. */
  linkedTo(type: ContentType): readonly OwnedLinks[]
  brokenReads(type: ContentType): readonly BrokenRead[]
  /** The ids whose entries meet one of the conditions. */
  idsUnder(
    type: ContentType,
    ids: readonly number[],
    anyOf: readonly Expression[],
    variables: Readonly<Record<string, unknown>>,
  ): Work<ReadonlySet<number>>
  visibleIds(type: ContentType, ids: readonly number[], access: Access): Work<ReadonlySet<number>>
  /** While seeding, links wait here until all their targets exist. */
  readonly waitingLinks?: WaitingLink[]
}

export type WaitingLink =
  | { readonly ownId: number; readonly link: LinkWrite }
  | { readonly ownId: number; readonly morph: MorphWrite }

export function createStorage(
  model: Model,
  layout: ModelLayout,
  dialect: Dialect,
  reads: Pick<Storage, 'idsUnder' | 'visibleIds'>,
): Storage {
  return {
    ...reads,
    linksTo: createLinksTo(model, layout),
    oneWayTo: createOneWayTo(model, layout),
    statements: createWriteStatements(dialect),
    linkedTo: createLinkedTo(model, layout),
    brokenReads: createBrokenReads(layout, dialect),
    getLinkTable: (attribute) => layout.getLinkTable(attribute),
    getMorphs: (attribute) => layout.getMorphs(attribute),
    morphTables: layout.morphTables,
    getPlaces: (attribute) => layout.getPlaces(attribute),
    getTogether: (type) => layout.getTogether(type),
  }
}
