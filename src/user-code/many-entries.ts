// The operations on many entries of `cms.entries('article')`: writes, and numbers of groups.

import { ownCode } from '../access/principal.ts'
import { invariant } from '../lib/errors/invariant.ts'
import type { ManyAction } from '../model/actions.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Payload } from '../operations/operation.ts'
import type { OperationTable } from '../operations/operation-table.ts'
import type { Params } from '../plan/params.ts'
import { type EntryObject, toObject } from '../query/rows/to-object.ts'
import { parseAggregate } from '../rest/parse-aggregate.ts'
import type { Content } from '../write/content.ts'
import type { Entries, EntriesQuery, OneQuery } from './entries-query.ts'

/** `getParams`: the params of a list. */
export function createAggregate(
  type: ContentType,
  content: Content,
  getParams: (query: EntriesQuery) => Params,
): Entries['aggregate'] {
  return async ({ aggregate, groupBy, having, sort, start = 0, limit = -1, ...query } = {}) => {
    const input = parseAggregate({ aggregate, groupBy, having, sort })
    const params: Params = { ...getParams(query), pagination: { kind: 'offset', start, limit } }
    const { rows } = await content.prepareAggregate(type, params, input, ownCode).run()
    return [...rows]
  }
}

/** `getParams`: the params of a write. */
export function createManyEntries(
  type: ContentType,
  operations: OperationTable,
  getParams: (query: OneQuery) => Params,
): Pick<Entries, ManyAction> {
  async function run(action: ManyAction, payload: Payload, query: OneQuery = {}): Promise<EntryObject[]> {
    const operation = operations.of(type).find((one) => one.action === action)
    if (operation === undefined) throw new TypeError(`${type.uid} is a single type: it has one entry`)
    invariant(operation.effect === 'write', 'many entries are written')
    const output = await operation.prepare(getParams(query), ownCode).run(payload, { by: undefined })
    return output === undefined ? [] : output.entries.map((entry) => toObject(output.plan, entry))
  }
  return {
    createMany: (items, query) => run('createMany', { items }, query),
    updateMany: (filters, data, query) => run('updateMany', { filters, data }, query),
    deleteMany: (filters, query) => run('deleteMany', { filters }, query),
    async upsert(on, data, query) {
      const [entry] = await run('upsert', { on, data }, query)
      invariant(entry !== undefined, 'an upsert returns its entry')
      return entry
    },
    upsertMany: (on, items, query) => run('upsertMany', { on, items }, query),
  }
}
