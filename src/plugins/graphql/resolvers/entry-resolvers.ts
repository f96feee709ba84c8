// Types of the resolvers of the generated schema: each root field is one operation; the values of the fields below it were
// read ahead with it.

import type { Attribute } from '../../../model/attribute.ts'
import type { Schema } from '../../../model/content-type.ts'
import type { Model } from '../../../model/model.ts'
import type { Operation } from '../../../operations/operation.ts'
import type { Content } from '../../../write/content.ts'
import type { GraphqlResolver, GraphqlTools } from '../../graphql-extension.ts'
import type { GraphqlLimits } from '../selection/graphql-page.ts'

export interface EntryResolvers extends Pick<GraphqlTools, 'entrySelection'> {
  /** The root field of an operation. */
  root(operation: Operation): GraphqlResolver
  member(schema: Schema, attribute: Exclude<Attribute, { readonly kind: 'scalar' }>): GraphqlResolver
  /** The value of the resolver, without an envelope. */
  bare(resolver: GraphqlResolver): GraphqlResolver
  /** Returns what an answer holds, or the attributes of an entity. */
  readonly value: GraphqlResolver
  readonly nodes: GraphqlResolver
  readonly attributes: GraphqlResolver
  readonly meta: GraphqlResolver
  readonly pageInfo: GraphqlResolver
}

export interface ResolverOptions {
  readonly model: Model
  readonly content: Content
  readonly limits: GraphqlLimits
}
