// Describes the GraphQL endpoint in OpenAPI (GraphQL over HTTP).

import { type DescribeOperations, describeJsonResponse, type JsonSchema } from '../openapi-operation.ts'
import type { GraphqlSettings } from './http/graphql-settings.ts'
import { preflightsQueries } from './http/read-request.ts'

const text: JsonSchema = { type: 'string' }
const object: JsonSchema = { type: 'object' }

const result = describeJsonResponse({
  type: 'object',
  properties: {
    data: { type: ['object', 'null'] },
    errors: {
      type: 'array',
      items: { type: 'object', properties: { message: text }, required: ['message'] },
    },
    extensions: object,
  },
})

const preflight: JsonSchema = {
  name: 'apollo-require-preflight',
  in: 'header',
  description: 'Any text: a page of another site cannot send it unasked',
  required: true,
  example: 'true',
  schema: text,
}

/** The token is optional; the response depends on it. */
const security = [{}, { token: [] }]

const inQuery = (name: string, description: string, more: JsonSchema = {}): JsonSchema => ({
  name,
  in: 'query',
  description,
  schema: text,
  ...more,
})

export const describeOperations =
  (settings: GraphqlSettings): DescribeOperations =>
  () => ({
    [`GET ${settings.endpoint}`]: {
      operationId: 'queryGraphql',
      parameters: [
        inQuery('query', 'The document; it may hold queries only', {
          required: true,
          example: '{ __typename }',
        }),
        inQuery('variables', 'The variables, as a JSON object'),
        inQuery('operationName', 'Which operation of the document to run'),
        ...(preflightsQueries(settings) ? [preflight] : []),
      ],
      response: result,
      rest: { security },
    },
    [`POST ${settings.endpoint}`]: {
      operationId: 'executeGraphql',
      response: result,
      rest: {
        security,
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  query: text,
                  variables: { type: ['object', 'null'] },
                  operationName: { type: ['string', 'null'] },
                  extensions: object,
                },
                required: ['query'],
              },
            },
          },
        },
      },
    },
  })
