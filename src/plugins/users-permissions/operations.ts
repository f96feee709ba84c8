// OpenAPI descriptions of the routes for logins and users.

import {
  type DescribeOperations,
  describeJsonResponse,
  describeListResponse,
  type JsonSchema,
  type OperationDescription,
} from '../openapi-operation.ts'
import { USER } from './content-types.ts'

export const describeOperations =
  (sessions: boolean): DescribeOperations =>
  (flat) => {
    const user = flat(USER)
    const login = describeJsonResponse({
      type: 'object',
      required: ['user'],
      properties: { jwt: text, ...(sessions && { refreshToken: text }), user },
    })
    const listed = describeJsonResponse(getData({ type: 'array', items: session }))
    const ended = describeJsonResponse(getData({ type: 'object' }))
    const ok = describeJsonResponse({ type: 'object', properties: { ok: { type: 'boolean' } } })
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
        response: login,
        rest: {
          summary: 'Change the password',
          ...takes(['currentPassword', 'password', 'passwordConfirmation']),
        },
      },
      'GET /auth/email-confirmation': {
        status: 302,
        parameters: [
          {
            name: 'confirmation',
            in: 'query',
            required: true,
            description: 'The code of the mail',
            schema: text,
          },
        ],
        response: { description: 'The address is confirmed' },
        rest: { summary: 'Confirm an address', security: [{}] },
      },
      'POST /auth/send-email-confirmation': open(
        'Ask for the mail of confirmation again',
        undefined,
        takes(['email']),
      ),
      'POST /auth/refresh': open(
        'Exchange a refresh token',
        describeJsonResponse({
          type: 'object',
          required: ['jwt', 'refreshToken'],
          properties: { jwt: text, refreshToken: text },
        }),
        takes(['refreshToken']),
      ),
      'POST /auth/logout': { response: ok, rest: { summary: 'End this session, that of a device, or all' } },
      'GET /auth/sessions': { response: listed },
      'DELETE /auth/sessions/:sessionId': { response: ended },
      'GET /users/:id/sessions': { response: listed, rest: { summary: "List a user's sessions" } },
      'DELETE /users/:id/sessions': {
        response: describeJsonResponse(
          getData({ type: 'object', properties: { ended: { type: 'integer' } } }),
        ),
        rest: { summary: "End all of a user's sessions" },
      },
      'DELETE /users/:id/sessions/:sessionId': {
        response: ended,
        rest: { summary: "End one of a user's sessions" },
      },
      'GET /users': { response: describeListResponse(user) },
      'GET /users/count': { response: describeJsonResponse({ type: 'integer', minimum: 0 }) },
      'GET /users/me': { response: describeJsonResponse(user) },
      'GET /users/:id': { response: describeJsonResponse(user) },
    }
  }

const text: JsonSchema = { type: 'string' }
const moment: JsonSchema = { type: 'string', format: 'date-time' }

const session: JsonSchema = {
  type: 'object',
  required: ['id', 'current', 'loginAt', 'lastActiveAt'],
  properties: {
    id: text,
    deviceId: text,
    deviceName: text,
    current: { type: 'boolean' },
    loginAt: moment,
    lastActiveAt: moment,
  },
}

function getData(data: JsonSchema): JsonSchema {
  return { type: 'object', required: ['data'], properties: { data } }
}

function open(summary: string, response: JsonSchema | undefined, rest: JsonSchema): OperationDescription {
  return { ...(response !== undefined && { response }), rest: { summary, security: [{}], ...rest } }
}

function takes(names: readonly string[]): JsonSchema {
  const properties = Object.fromEntries(names.map((name) => [name, text]))
  const schema = { type: 'object', required: names, properties }
  return { requestBody: { required: true, content: { 'application/json': { schema } } } }
}
