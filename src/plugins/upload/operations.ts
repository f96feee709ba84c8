// OpenAPI descriptions of the file routes.

import { type DescribeOperations, type JsonSchema, jsonAnswer, listAnswer } from '../openapi-operation.ts'
import { FILE } from './content-types.ts'

/** `documents`: whether the dialect is that of Strapi 5. */
export const describeOperations =
  (documents: boolean): DescribeOperations =>
  (flat) => ({
    'GET /upload/files': { answer: listAnswer(flat(FILE)) },
    'GET /upload/files/:id': { answer: jsonAnswer(flat(FILE)) },
    'DELETE /upload/files/:id': { answer: jsonAnswer(flat(FILE)) },
    'POST /upload': {
      ...(documents && { status: 201 }),
      answer: listAnswer(flat(FILE)),
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
