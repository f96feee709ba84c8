// A subscription keeps nothing of the events that it has told, however long it lasts.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { buildSchema } from 'graphql'
import { expect, test } from 'vitest'
import { everyPermission, type Principal } from '../../../src/access/principal.ts'
import { createSubscriptionLimits, type OpenSubscription } from '../../../src/access/subscription-limits.ts'
import { createOperations } from '../../../src/plugins/graphql/execution/create-operations.ts'
import type { OperationResult, Operations } from '../../../src/plugins/graphql/execution/operations.ts'
import { buildEventStreamReply } from '../../../src/plugins/graphql/http/event-stream-reply.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const EVENTS = 100_000

/** Yields that many events, and then waits until it is stopped. */
function manyEvents(yielded: WeakRef<object>[]) {
  return {
    next: () => {
      if (yielded.length === EVENTS) return new Promise<never>(() => {})
      const value = { value: { count: yielded.length }, principal: 'somebody' }
      yielded.push(new WeakRef(value))
      return Promise.resolve({ done: false, value })
    },
    return: () => Promise.resolve({ done: true, value: undefined }),
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

function operationsTelling(yielded: WeakRef<object>[]) {
  const schema = buildSchema('type Query { a: Int } type Subscription { count: Int }')
  const field = schema.getSubscriptionType()?.getFields()['count']
  if (field === undefined) throw new Error('the schema has the field')
  field.subscribe = () => manyEvents(yielded)
  return createOperations({
    inTransaction: (task) => task(),
    schema,
    introspection: false,
    suggestions: false,
    exposesFaults: true,
    explains: false,
    onFault: () => {},
    callers: {
      getCaller: () => 'somebody',
      buildKey: String,
      isImpersonal: () => false,
      contextFor: () => ({}),
      getSignal: () => new AbortController().signal,
    },
  })
}

const somebody: Principal = {
  kind: 'public',
  name: 'public',
  permissions: everyPermission,
  source: 'auth.roles.public.permissions',
}

const limits = createSubscriptionLimits({ connection: 1, caller: 1, server: 1, cost: EVENTS })
const open = (): OpenSubscription => limits.connect('127.0.0.1').open(somebody)

function answersOf(operations: Operations): AsyncIterable<OperationResult> {
  const started = operations.subscribe({ query: 'subscription { count }' }, {}, open)
  if (!('results' in started)) throw new Error('it is a subscription')
  return started.results
}

async function keptOf(yielded: readonly WeakRef<object>[]): Promise<number> {
  // A WeakRef holds its object until the end of the turn in which it was made or asked.
  await new Promise((resolve) => setImmediate(resolve))
  collectGarbage()
  return yielded.filter((event) => event.deref() !== undefined).length
}

test(`after ${EVENTS} events an open subscription keeps a few of them`, async () => {
  const yielded: WeakRef<object>[] = []
  const operations = operationsTelling(yielded)
  const answers = answersOf(operations)[Symbol.asyncIterator]()
  for (let told = 0; told < EVENTS; told++) {
    const { value } = await answers.next()
    if (told === EVENTS - 1) expect(value.body).toBe(`{"data":{"count":${told}}}`)
  }
  const next = answers.next()
  expect(await keptOf(yielded)).toBeLessThan(10)
  operations.end()
  await expect(next).rejects.toThrow('the server ends or reloads')
})

test('so does one that is answered as server-sent events', async () => {
  const yielded: WeakRef<object>[] = []
  const operations = operationsTelling(yielded)
  const { body } = buildEventStreamReply(answersOf(operations), () => {})
  if (typeof body !== 'object' || !('chunks' in body)) throw new Error('the reply is a stream')
  const pieces = body.chunks()[Symbol.asyncIterator]()
  await pieces.next()
  for (let told = 0; told < EVENTS; told++) await pieces.next()
  const next = pieces.next()
  expect(await keptOf(yielded)).toBeLessThan(10)
  operations.end()
  expect(await next).toEqual({ done: true, value: undefined })
})
