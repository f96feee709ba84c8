// The plugin's part of the GraphQL schema: logins, and mutations for users and roles.

import type { GraphqlExtension, GraphqlTools } from '../graphql-extension.ts'
import { createGraphqlAccounts, type GraphqlAccountOptions } from './graphql-accounts.ts'
import { createGraphqlUsers, type GraphqlUserOptions } from './graphql-users.ts'

export function createGraphqlSchema(
  parts: GraphqlAccountOptions & GraphqlUserOptions,
  tools: GraphqlTools,
): GraphqlExtension {
  const accounts = createGraphqlAccounts(parts)
  const users = createGraphqlUsers(parts, tools)
  return {
    typeDefs: `${users.typeDefs}${accounts.typeDefs}`,
    resolvers: {
      ...accounts.resolvers,
      Mutation: { ...users.resolvers?.['Mutation'], ...accounts.resolvers?.['Mutation'] },
    },
    auth: { ...users.auth, ...accounts.auth },
  }
}
