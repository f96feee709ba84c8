// OpenAPI descriptions of the file routes.

import {
  type DescribeOperations,
  describeJsonResponse,
  describeListResponse,
  type JsonSchema,
} from '../openapi-operation.ts'
import { FILE } from './content-types.ts'

export const describeOperations =
  (documents: boolean): DescribeOperations =>
  (flat) => ({
    'GET /upload/files': { response: describeListResponse(flat(FILE)) },
    'GET /upload/files/:id': { response: describeJsonResponse(flat(FILE)) },
    'DELETE /upload/files/:id': { response: describeJsonResponse(flat(FILE)) },
    'POST /upload': {
      ...(documents && { status: 201 }),
      response: describeListResponse(flat(FILE)),
      rest: { summary: 'Upload files', requestBody: form },
    },
  })

const text: JsonSchema = { type: 'string' }

const form: JsonSchema = {
  required: true,
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        required: ['files'],
        properties: {
          files: { type: 'array', items: { type: 'string', format: 'binary' } },
          fileInfo: text,
          ref: text,
          refId: text,
          field: text,
        },
      },
    },
  },
}
