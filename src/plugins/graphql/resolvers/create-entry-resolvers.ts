// Creates the resolvers of the generated schema, all over one Content.

import type { ListAnswer, OneAnswer } from '../selection/entry-value.ts'
import type { EntryResolvers, ResolverParts } from './entry-resolvers.ts'
import { createEntrySelection } from './entry-selection.ts'
import { createMemberResolver } from './member-resolver.ts'
import { createMetaResolver } from './meta-resolver.ts'
import { createMutationResolvers } from './mutation-resolvers.ts'
import { createQueryResolvers } from './query-resolvers.ts'

export function createEntryResolvers(parts: ResolverParts): EntryResolvers {
  return {
    ...createQueryResolvers(parts),
    ...createMutationResolvers(parts),
    member: createMemberResolver(parts),
    meta: createMetaResolver(parts),
    value: (parent) => (parent as OneAnswer).value,
    nodes: (parent) => (parent as ListAnswer).nodes,
    attributes: (parent) => parent,
    entrySelection: (type, context, info) => createEntrySelection(type, context, info, parts.limits),
  }
}
