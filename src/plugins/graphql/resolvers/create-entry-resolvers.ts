// Creates the resolvers of the generated schema, all over one Content.

import type { ListAnswer, OneAnswer } from '../selection/entry-value.ts'
import type { EntryResolvers, ResolverParts } from './entry-resolvers.ts'
import { createEntrySelection } from './entry-selection.ts'
import { createMemberResolver } from './member-resolver.ts'
import { createMetaResolver } from './meta-resolver.ts'
import { createFieldCache } from './read-memory.ts'
import { resolveRead } from './read-operation.ts'
import { resolveWrite } from './write-operation.ts'

export function createEntryResolvers(parts: ResolverParts): EntryResolvers {
  const meta = createMetaResolver(parts)
  const { content, limits } = parts
  const cache = createFieldCache()
  return {
    root: (operation) =>
      operation.effect === 'read'
        ? resolveRead(operation, limits, cache)
        : resolveWrite(operation, content, limits),
    member: createMemberResolver(parts),
    meta,
    pageInfo: (...given) => whenDone(meta(...given), pageOf),
    bare:
      (resolver) =>
      (...given) =>
        whenDone(resolver(...given), withoutEnvelope),
    value: (parent) => (parent as OneAnswer).value,
    nodes: (parent) => (parent as ListAnswer).nodes,
    attributes: (parent) => parent,
    entrySelection: (type, context, info) => createEntrySelection(type, context, info, limits),
  }
}

function whenDone<T>(value: T | Promise<T>, use: (value: T) => unknown): unknown {
  return value instanceof Promise ? value.then(use) : use(value)
}

function pageOf(meta: unknown): unknown {
  return (meta as { readonly pagination?: unknown }).pagination
}

function withoutEnvelope(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer
  if ('nodes' in answer) return answer.nodes
  return 'value' in answer ? answer.value : answer
}
