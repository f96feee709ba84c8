// Reads entries for the server's own code, without an API's page limits.

import { everyPermission } from '../access/principal.ts'
import type { Params } from '../plan/params.ts'
import type { Finds, Reads } from './reads.ts'
import { toObject } from './rows/to-object.ts'

export const everyEntry: Params = { publicationState: 'preview', locale: 'all' }

const FIRST = { kind: 'offset', start: 0, limit: 1 } as const
const ONLY_COUNT = { defaultLimit: 1, maxLimit: 1, withCount: true } as const

export function createFinds({
  prepareFind,
  prepareFindOne,
}: Pick<Reads, 'prepareFind' | 'prepareFindOne'>): Finds {
  const finds: Finds = {
    async findAll(type, params, access = everyPermission) {
      const { plan, entries } = await prepareFind(type, params, access).run()
      return entries.map((entry) => toObject(plan, entry))
    },
    async findFirst(type, params, access) {
      const [first] = await finds.findAll(type, { ...params, pagination: FIRST }, access)
      return first
    },
    async findOne(type, id, params, access = everyPermission) {
      const { plan, entries } = await prepareFindOne(type, params, access, false).run({ id })
      const [entry] = entries
      return entry === undefined ? undefined : toObject(plan, entry)
    },
    async count(type, { pagination: _, ...params }, access = everyPermission) {
      const counted = { ...params, fields: ['id'] }
      const { total } = await prepareFind(type, counted, access, ONLY_COUNT).run()
      return total ?? 0
    },
    async exists(type, params, access) {
      return (await finds.findFirst(type, { ...params, fields: ['id'] }, access)) !== undefined
    },
  }
  return finds
}
