// Routes of the plugins -> what OpenAPI says of them. A route that is not listed is described by its address alone.

import type { Model } from '../model/model.ts'
import { jsonAnswer, type OperationParts } from './openapi-operation.ts'
import type { ModelSchemas } from './openapi-schemas.ts'
import type { Schema } from './scalar-schema.ts'

const text: Schema = { type: 'string' }

/** By method and path behind the prefix. */
export function pluginOperation(
  method: string,
  path: string,
  model: Model,
  schemas: ModelSchemas,
): OperationParts {
  const user = flatOf('plugin::users-permissions.user', model, schemas)
  const file = flatOf('plugin::upload.file', model, schemas)
  const many = (items: Schema): Schema => jsonAnswer({ type: 'array', items })
  const login = jsonAnswer({ type: 'object', required: ['user'], properties: { jwt: text, user } })
  const ok = jsonAnswer({ type: 'object', properties: { ok: { type: 'boolean' } } })
  const operations: Readonly<Record<string, OperationParts>> = {
    'POST /auth/local': open('Log in', login, takes(['identifier', 'password'])),
    'POST /auth/local/register': open('Register', login, takes(['username', 'email', 'password'])),
    'POST /auth/forgot-password': open('Ask for a mail to set a new password', ok, takes(['email'])),
    'POST /auth/reset-password': open(
      'Set a new password with the code of the mail',
      login,
      takes(['code', 'password', 'passwordConfirmation']),
    ),
    'POST /auth/change-password': {
      answer: login,
      rest: {
        summary: 'Change the password',
        ...takes(['currentPassword', 'password', 'passwordConfirmation']),
      },
    },
    'POST /auth/send-email-confirmation': open(
      'Ask for the mail of confirmation again',
      undefined,
      takes(['email']),
    ),
    'GET /users': { answer: many(user) },
    'GET /users/count': { answer: jsonAnswer({ type: 'integer', minimum: 0 }) },
    'GET /users/me': { answer: jsonAnswer(user) },
    'GET /users/:id': { answer: jsonAnswer(user) },
    'GET /upload/files': { answer: many(file) },
    'GET /upload/files/:id': { answer: jsonAnswer(file) },
    'DELETE /upload/files/:id': { answer: jsonAnswer(file) },
    'POST /upload': { answer: many(file), rest: { summary: 'Upload files', requestBody: upload } },
  }
  return operations[`${method} ${path}`] ?? {}
}

const upload: Schema = {
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

function open(summary: string, answer: Schema | undefined, rest: Schema): OperationParts {
  return { ...(answer !== undefined && { answer }), rest: { summary, security: [{}], ...rest } }
}

function takes(names: readonly string[]): Schema {
  const properties = Object.fromEntries(names.map((name) => [name, text]))
  const schema = { type: 'object', required: names, properties }
  return { requestBody: { required: true, content: { 'application/json': { schema } } } }
}

function flatOf(uid: string, model: Model, schemas: ModelSchemas): Schema {
  const type = model.contentTypes.get(uid)
  return type === undefined ? { type: 'object' } : schemas.flat(type)
}
