// Types the resolvers of the generated schema: a root field is one operation, which reads the fields below it
// ahead.

import type { Attribute } from '../../../model/attribute.ts'
import type { Schema } from '../../../model/content-type.ts'
import type { Model } from '../../../model/model.ts'
import type { Operation } from '../../../operations/operation.ts'
import type { Content } from '../../../write/content.ts'
import type { GraphqlResolver, GraphqlTools } from '../../graphql-extension.ts'
import type { GraphqlLimits } from '../selection/graphql-page.ts'

export interface EntryResolvers extends Pick<GraphqlTools, 'entrySelection'> {
  root(operation: Operation): GraphqlResolver
  member(schema: Schema, attribute: Exclude<Attribute, { readonly kind: 'scalar' }>): GraphqlResolver
  /** Returns the resolver's value without an envelope. */
  bare(resolver: GraphqlResolver): GraphqlResolver
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
