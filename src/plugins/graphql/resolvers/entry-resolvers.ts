// Types of the resolvers of the generated schema: each root field is one prepared read or one write of the core; the
// values of the fields below it were read ahead with it.

import type { Content } from '../../../content/content.ts'
import type { Attribute } from '../../../model/attribute.ts'
import type { AttributeHolder, ContentType } from '../../../model/content-type.ts'
import type { Model } from '../../../model/model.ts'
import type { GraphqlResolver, GraphqlTools } from '../../graphql-extension.ts'
import type { GraphqlLimits } from '../selection/graphql-page.ts'

export interface EntryResolvers extends Pick<GraphqlTools, 'entrySelection'> {
  find(type: ContentType): GraphqlResolver
  findOne(type: ContentType): GraphqlResolver
  findSingle(type: ContentType): GraphqlResolver
  /** By the argument `documentId`. */
  findDocument(type: ContentType): GraphqlResolver
  create(type: ContentType): GraphqlResolver
  localize(type: ContentType): GraphqlResolver
  update(type: ContentType): GraphqlResolver
  delete(type: ContentType): GraphqlResolver
  updateSingle(type: ContentType): GraphqlResolver
  deleteSingle(type: ContentType): GraphqlResolver
  member(holder: AttributeHolder, attribute: Exclude<Attribute, { readonly kind: 'scalar' }>): GraphqlResolver
  createDocument(type: ContentType): GraphqlResolver
  updateDocument(type: ContentType): GraphqlResolver
  deleteDocument(type: ContentType): GraphqlResolver
  /** What the resolver answers, without an envelope. */
  bare(resolver: GraphqlResolver): GraphqlResolver
  /** Returns what an answer holds, or the attributes of an entity. */
  readonly value: GraphqlResolver
  readonly nodes: GraphqlResolver
  readonly attributes: GraphqlResolver
  readonly meta: GraphqlResolver
  readonly pageInfo: GraphqlResolver
}

export interface ResolverParts {
  readonly model: Model
  readonly content: Content
  readonly limits: GraphqlLimits
}
