// `POST /api/_batch`: several operations in one transaction, each with the caller's permissions. Every operation runs
// through its own route, so its policies and middlewares apply.

import type { Guard } from '../access/guard.ts'
import type { Principal } from '../access/principal.ts'
import { parseBody } from '../http/body/parse-body.ts'
import { JSON_TYPE, jsonReply, type Reply } from '../http/reply.ts'
import type { HttpRequest } from '../http/request.ts'
import type { Route } from '../http/route.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import { isRecord } from '../lib/is-record.ts'
import { hasIdempotencyKey, type Idempotency } from '../operations/idempotency.ts'
import type { CallableOperation, OperationCalls } from '../operations/operation-calls.ts'
import { shareBudget } from '../operations/request-additions.ts'
import { createRequestBudget, type RequestBudget } from '../query/rows/request-budget.ts'
import type { Content } from '../write/content.ts'

const MAX_OPERATIONS = 100

interface BatchOptions {
  readonly content: Pick<Content, 'inTransaction'>
  readonly guard: Guard
  readonly idempotency: Idempotency
  readonly prefix: string
  readonly calls: () => OperationCalls
}

interface Step {
  readonly operation: CallableOperation
  readonly id: unknown
  readonly query: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>>
}

export function createBatchRoute({ content, guard, idempotency, prefix, calls }: BatchOptions): Route {
  async function respond(request: HttpRequest, by: Principal): Promise<Reply> {
    const steps = (await readOperations(request)).map((given, index) => findStep(calls(), given, index))
    const write = (): Promise<Reply> => runSteps(request, by, steps)
    return hasIdempotencyKey(request)
      ? idempotency.through(request, by, steps.map(describeStep), write)
      : write()
  }

  async function runSteps(request: HttpRequest, by: Principal, steps: readonly Step[]): Promise<Reply> {
    const budget = createRequestBudget(request)
    try {
      return await content.inTransaction(async () => {
        const results: string[] = []
        for (const [index, step] of steps.entries())
          results.push(await runStep(request, by, budget, { step, index, results }))
        return jsonReply(200, `{"data":[${results.join(',')}],"meta":{}}`)
      })
    } catch (error) {
      if (error instanceof RefusedStep) return error.reply
      throw error
    }
  }

  async function runStep(
    request: HttpRequest,
    by: Principal,
    budget: RequestBudget,
    {
      step,
      index,
      results,
    }: { readonly step: Step; readonly index: number; readonly results: readonly string[] },
  ): Promise<string> {
    try {
      const resolve = createResolver(results)
      const { operation, query, body: members } = step
      const id = resolve(step.id)
      const input = {
        ...(operation.shape.hasId && { id: getId(id) }),
        ...{ query, body: resolve(members) as Step['body'] },
      }
      const call = { request, by, operation, input }
      const { status, text } = await calls().call(call, (part) => shareBudget(part, budget))
      if (status >= 400) throw new RefusedStep({ status, body: text, contentType: JSON_TYPE })
      return text === '' ? 'null' : text
    } catch (error) {
      if (error instanceof ApiError) throw error.withDetails({ ...error.details, operation: index })
      throw error
    }
  }

  return {
    method: 'POST',
    path: `${prefix}/_batch`,
    face: 'rest',
    handler: guard.protect({ kind: 'nothing' }, (request, _parameters, by) => respond(request, by)),
  }
}

/** Carries a response of users' code out of the transaction, which is undone. */
class RefusedStep extends Error {
  readonly reply: Reply

  constructor(reply: Reply) {
    super('an operation of a batch was refused')
    this.reply = reply
  }
}

async function readOperations(request: HttpRequest): Promise<readonly unknown[]> {
  const body = await parseBody(request)
  const value = body.kind === 'value' ? body.value : undefined
  const operations = isRecord(value) ? value['operations'] : value
  if (!Array.isArray(operations))
    throw new ApiError(
      'ValidationError',
      'The body must be {"operations":[{"operation":"article.create","data":{…}}]}',
    )
  if (operations.length > MAX_OPERATIONS)
    throw new ApiError(
      'ValidationError',
      `Too many operations: at most ${MAX_OPERATIONS} are allowed in a batch`,
    )
  return operations
}

const MEMBERS: ReadonlySet<string> = new Set(['operation', 'id', 'query', 'data', 'filters', 'on'])

function findStep(calls: OperationCalls, given: unknown, index: number): Step {
  const refuse = (message: string): ApiError =>
    new ApiError('ValidationError', `Operation ${index + 1}: ${message}`, { operation: index })
  if (!isRecord(given) || typeof given['operation'] !== 'string')
    throw refuse('expected an object with "operation", such as "article.create"')
  const { operation: name, id, query = {}, ...body } = given
  const unknown = Object.keys(given).find((member) => !MEMBERS.has(member))
  if (unknown !== undefined)
    throw refuse(`unknown member ${unknown.slice(0, 100)}: expected ${[...MEMBERS].join(', ')}`)
  if (!isRecord(query)) throw refuse('"query" must be an object')
  const operation = calls.find(name)
  if (operation === undefined) throw refuse(`there is no operation "${name.slice(0, 200)}" over REST`)
  const { hasId } = operation.shape
  if (hasId !== (id !== undefined)) throw refuse(hasId ? `${name} needs an "id"` : `${name} takes no "id"`)
  return { operation, id, query, body }
}

function describeStep({ operation, id, query, body }: Step): unknown {
  return { operation: operation.name, id, query, body }
}

function getId(id: unknown): string {
  if (typeof id === 'string' || typeof id === 'number') return String(id)
  throw new ApiError('ValidationError', '"id" must be a text or a number')
}

/** `$1.id`, `$2.0.documentId`; `$$1.id` is the text `$1.id`. */
const REFERENCE = /^\$(\d+)\.(.+)$/

/** Replaces references by values of earlier results. Throws ValidationError for one that leads nowhere. */
function createResolver(results: readonly string[]): (value: unknown) => unknown {
  const parsed = new Map<number, unknown>()

  function getResult(number: number): unknown {
    if (!parsed.has(number)) {
      const text = results[number - 1]
      parsed.set(number, text === undefined ? undefined : JSON.parse(text))
    }
    const result = parsed.get(number)
    return isRecord(result) ? result['data'] : undefined
  }

  function look(reference: string, number: number, path: readonly string[]): unknown {
    let value = getResult(number)
    for (const name of path) value = step(value, name)
    if (value === undefined)
      throw new ApiError('ValidationError', `${reference.slice(0, 200)} is not in an earlier result`)
    return value
  }

  return function resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(resolve)
    if (isRecord(value))
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolve(inner)]))
    if (typeof value !== 'string' || !value.startsWith('$')) return value
    if (/^\$\$\d+\./.test(value)) return value.slice(1)
    const [, number, path] = REFERENCE.exec(value) ?? []
    return number === undefined || path === undefined ? value : look(value, Number(number), path.split('.'))
  }
}

/** An attribute of Strapi 4 is found without its envelope. */
function step(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return /^\d+$/.test(name) ? value[Number(name)] : undefined
  if (!isRecord(value)) return undefined
  if (Object.hasOwn(value, name)) return value[name]
  const attributes = value['attributes']
  return isRecord(attributes) && Object.hasOwn(attributes, name) ? attributes[name] : undefined
}
