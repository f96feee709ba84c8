// Schemas that are the same for every content-type: errors, and the pagination of a list.

import type { Schema } from '../plugins/openapi-operation.ts'

export const errorSchema: Schema = {
  type: 'object',
  required: ['data', 'error'],
  properties: {
    data: { type: 'null' },
    error: {
      type: 'object',
      required: ['status', 'name', 'message', 'details'],
      properties: {
        status: { type: 'integer' },
        name: { type: 'string' },
        message: { type: 'string' },
        details: { type: 'object' },
      },
    },
  },
}

const count: Schema = { type: 'integer', minimum: 0 }

export const paginationSchema: Schema = {
  type: 'object',
  properties: {
    page: count,
    pageSize: count,
    pageCount: count,
    start: count,
    limit: { type: 'integer' },
    total: count,
  },
}
