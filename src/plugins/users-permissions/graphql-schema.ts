// The plugin's part of the GraphQL schema: logins, and mutations for users and roles.

import type { GraphqlExtension, GraphqlTools } from '../graphql-extension.ts'
import { type GraphqlAccountOptions, graphqlAccounts } from './graphql-accounts.ts'
import { type GraphqlUserOptions, graphqlUsers } from './graphql-users.ts'

export function graphqlSchema(
  parts: GraphqlAccountOptions & GraphqlUserOptions,
  tools: GraphqlTools,
): GraphqlExtension {
  const accounts = graphqlAccounts(parts)
  const users = graphqlUsers(parts, tools)
  return {
    typeDefs: `${users.typeDefs}${accounts.typeDefs}`,
    resolvers: {
      ...accounts.resolvers,
      Mutation: { ...users.resolvers?.['Mutation'], ...accounts.resolvers?.['Mutation'] },
    },
    auth: { ...users.auth, ...accounts.auth },
  }
}
