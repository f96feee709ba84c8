import { expect, test } from 'vitest'
import { buildErrorReply } from '../../../src/http/error-reply.ts'
import { ApiError, type ApiErrorName, createValidationErrors } from '../../../src/lib/errors/api-error.ts'

const silent = (): void => {}
const bodyOf = (error: unknown): unknown => JSON.parse(String(buildErrorReply(error, silent).body))

test('the envelope', () => {
  expect(buildErrorReply(new ApiError('NotFoundError', 'Not Found'), silent)).toMatchObject({
    status: 404,
    contentType: 'application/json; charset=utf-8',
    body: '{"data":null,"error":{"status":404,"name":"NotFoundError","message":"Not Found","details":{}}}',
  })
})

test('details', () => {
  const items = [{ path: ['a', '0'], message: 'a is bad', name: 'ValidationError' }]
  expect(bodyOf(createValidationErrors(items))).toMatchObject({
    error: { message: 'a is bad', details: { errors: items } },
  })
})

test.each<ApiErrorName>(['BadRequestError', 'PayloadTooLargeError'])('%s has no empty details', (name) => {
  expect(Object.keys((bodyOf(new ApiError(name, 'x')) as { error: object }).error)).toEqual([
    'status',
    'name',
    'message',
  ])
})

test('headers of the error', () => {
  const error = new ApiError('RateLimitError', 'slow down', {}, { 'retry-after': '1' })
  expect(buildErrorReply(error, silent).headers).toEqual({ 'retry-after': '1' })
})

test.each([new Error('secret'), 'secret', undefined, null, { status: 400, message: 'secret' }])(
  'what is not an ApiError is reported and told to nobody: %j',
  (thrown) => {
    const faults: unknown[] = []
    const { status, body } = buildErrorReply(thrown, (fault) => faults.push(fault))
    expect(faults).toEqual([thrown])
    expect(status).toBe(500)
    expect(body).toBe(
      '{"data":null,"error":{"status":500,"name":"InternalServerError","message":"Internal Server Error"}}',
    )
  },
)
