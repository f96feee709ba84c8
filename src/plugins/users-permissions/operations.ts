// OpenAPI descriptions of the routes for logins and users.

import {
  type DescribeOperations,
  jsonAnswer,
  listAnswer,
  type OperationParts,
  type Schema,
} from '../openapi-operation.ts'
import { USER } from './content-types.ts'

export const describeOperations: DescribeOperations = (flat) => {
  const user = flat(USER)
  const login = jsonAnswer({ type: 'object', required: ['user'], properties: { jwt: text, user } })
  const ok = jsonAnswer({ type: 'object', properties: { ok: { type: 'boolean' } } })
  return {
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
    'GET /users': { answer: listAnswer(user) },
    'GET /users/count': { answer: jsonAnswer({ type: 'integer', minimum: 0 }) },
    'GET /users/me': { answer: jsonAnswer(user) },
    'GET /users/:id': { answer: jsonAnswer(user) },
  }
}

const text: Schema = { type: 'string' }

function open(summary: string, answer: Schema | undefined, rest: Schema): OperationParts {
  return { ...(answer !== undefined && { answer }), rest: { summary, security: [{}], ...rest } }
}

function takes(names: readonly string[]): Schema {
  const properties = Object.fromEntries(names.map((name) => [name, text]))
  const schema = { type: 'object', required: names, properties }
  return { requestBody: { required: true, content: { 'application/json': { schema } } } }
}
