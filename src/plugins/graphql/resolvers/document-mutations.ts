// Mutations of documents: a write changes the draft and publishes it, unless `status` asks for the draft.

import { InvariantError } from '../../../errors/invariant.ts'
import type { EntryResolvers, ResolverParts } from './entry-resolvers.ts'

type DocumentMutations = Pick<EntryResolvers, 'createDocument' | 'updateDocument' | 'deleteDocument'>

export function createDocumentMutations(_parts: ResolverParts): DocumentMutations {
  const later = () => () => {
    throw new InvariantError('not yet')
  }
  return { createDocument: later, updateDocument: later, deleteDocument: later }
}
