// Combines the lifecycles of an app into a content-type's hooks: plugins first, users' code last.

import type { ContentType } from '../model/content-type.ts'
import type { WritePlan } from '../plan/write/write-plan.ts'
import type { EntryObject } from '../query/rows/to-object.ts'
import type { Work } from '../storage/database.ts'
import type { Lifecycle, WithinTransaction, WriteEvent } from './lifecycle.ts'

export interface TypeHooks {
  prepare(event: WriteEvent): Promise<void>
  before(event: WriteEvent, plan: WritePlan | undefined, within: WithinTransaction): Work<void>
  after(event: WriteEvent, plan: WritePlan | undefined, within: WithinTransaction): Work<void>
  /** Undefined without a `finish`: then the transaction need not wait for users' code. */
  readonly finish: ((event: WriteEvent, result: EntryObject) => Promise<void>) | undefined
  committed(event: WriteEvent): Promise<void>
}

/** `lifecycles` may grow. */
export function createHooks(
  lifecycles: readonly Lifecycle[],
): (type: ContentType, dryRun?: boolean) => TypeHooks | undefined {
  const all = new Map<ContentType, TypeHooks | undefined>()
  const ofPlugins = new Map<ContentType, TypeHooks | undefined>()
  let known = 0
  return (type, dryRun = false) => {
    if (lifecycles.length !== known) {
      known = lifecycles.length
      all.clear()
      ofPlugins.clear()
    }
    const byType = dryRun ? ofPlugins : all
    if (byType.has(type)) return byType.get(type)
    const own = lifecycles.filter(
      (lifecycle) => lifecycle.appliesTo(type) && !(dryRun && lifecycle.isOfUsers === true),
    )
    const hooks = own.length === 0 ? undefined : buildHooks(own)
    byType.set(type, hooks)
    return hooks
  }
}

function buildHooks(own: readonly Lifecycle[]): TypeHooks {
  return {
    async prepare(event) {
      for (const lifecycle of own) await lifecycle.prepare?.(event)
    },
    *before(event, plan, within) {
      for (const lifecycle of own) if (lifecycle.before) yield* lifecycle.before(event, plan, within)
    },
    *after(event, plan, within) {
      for (const lifecycle of own) if (lifecycle.after) yield* lifecycle.after(event, plan, within)
    },
    finish: own.some(({ finish }) => finish !== undefined)
      ? async (event, result) => {
          for (const lifecycle of own) await lifecycle.finish?.(event, result)
        }
      : undefined,
    async committed(event) {
      for (const lifecycle of own) await lifecycle.committed?.(event)
    },
  }
}
