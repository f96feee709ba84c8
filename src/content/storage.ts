// What the writing modules of `content/` share: the statements and tables of a model.

import type { LinkWrite, MorphWrite } from '../plan/write-plan.ts'
import type { ModelLayout } from '../sql/build-layout.ts'
import type { WriteStatements } from '../sql/compile-write.ts'

export interface Storage
  extends Pick<ModelLayout, 'linksOf' | 'morphsOf' | 'morphTables' | 'placesOf' | 'togetherOf'> {
  readonly statements: WriteStatements
  /** While seeding, links wait here until every entry they may name exists. */
  readonly waitingLinks?: WaitingLink[]
}

export type WaitingLink =
  | { readonly near: number; readonly link: LinkWrite }
  | { readonly near: number; readonly morph: MorphWrite }

export function createStorage(layout: ModelLayout, statements: WriteStatements): Storage {
  return {
    statements,
    linksOf: (attribute) => layout.linksOf(attribute),
    morphsOf: (attribute) => layout.morphsOf(attribute),
    morphTables: layout.morphTables,
    placesOf: (attribute) => layout.placesOf(attribute),
    togetherOf: (type) => layout.togetherOf(type),
  }
}
