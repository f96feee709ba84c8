// Parses the payload of an operation on many entries: `{ "data": …, "filters": …, "on": … }`.

import { parseBody } from '../http/body/parse-body.ts'
import type { HttpRequest } from '../http/request.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import { FaultList } from '../lib/errors/fault-list.ts'
import { isRecord } from '../lib/is-record.ts'
import type { OperationShape } from '../model/actions.ts'
import type { Payload } from '../operations/operation.ts'
import { type ParsedQuery, parseQueryString } from './query-string.ts'

type Data = Readonly<Record<string, unknown>>

/** `checkData` throws ValidationError for the data of one entry. */
export async function readManyPayload(
  request: HttpRequest,
  { takes }: Pick<OperationShape, 'takes'>,
  checkData: (data: unknown) => Data,
): Promise<Payload> {
  const body = await parseBody(request)
  const content = body.kind === 'value' && isRecord(body.value) ? body.value : {}
  const { data, filters, on } = content
  const expected = takes.map((member) => (member === 'items' ? 'data' : member))
  for (const name of Object.keys(content)) {
    if (expected.some((member) => member === name)) continue
    throw new ApiError(
      'ValidationError',
      `Unknown member ${name.slice(0, 100)}: the body has ${expected.join(' and ')}`,
    )
  }
  if (takes.includes('filters') && !isRecord(filters)) {
    const message = 'Missing "filters" payload in the request body'
    throw new ApiError('ValidationError', message).because({
      message: 'the empty object {} selects all entries',
    })
  }
  return {
    ...(takes.includes('items') && { items: checkItems(data, checkData) }),
    ...(takes.includes('data') && { data: checkData(data) }),
    filters,
    on,
  }
}

function checkItems(data: unknown, checkData: (data: unknown) => Data): readonly Data[] {
  if (!Array.isArray(data)) throw new ApiError('ValidationError', '"data" must be a list: {"data":[{…}]}')
  const faults = new FaultList()
  const items = data.map((item: unknown, index) => faults.check([String(index)], () => checkData(item)))
  faults.throwAny()
  return items.filter((item) => item !== undefined)
}

/** `?plan=true` asks for the result alone. Throws ValidationError for another value. */
export function parseManyQuery(
  text: string,
  allowsDots?: boolean,
): { readonly query: ParsedQuery; readonly dryRun: boolean } {
  const { plan = 'false', ...query } = parseQueryString(text, allowsDots)
  if (plan !== 'true' && plan !== 'false')
    throw new ApiError('ValidationError', 'Invalid parameter plan: expected true or false')
  return { query, dryRun: plan === 'true' }
}
