// Describes the stream of events for OpenAPI.

import type { DescribeOperations, JsonSchema } from '../openapi-operation.ts'

const text: JsonSchema = { type: 'string' }

const types: JsonSchema = {
  name: 'types',
  in: 'query',
  description: 'Names of content-types, separated by commas; without it: all that the caller may find.',
  schema: text,
}

const lastEventId: JsonSchema = {
  name: 'Last-Event-ID',
  in: 'header',
  description: 'The id of the last event that the receiver has: it goes on after it.',
  schema: text,
}

export const describeOperations: DescribeOperations = () => ({
  'GET /_events': {
    parameters: [types, lastEventId],
    response: {
      description:
        'Changes as server-sent events, each with `action`, `type`, `id`, `changed`, `at` and `entry` as JSON',
      content: { 'text/event-stream': { schema: text } },
    },
    rest: { summary: 'Follow changes' },
  },
})
