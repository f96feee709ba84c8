// Narrows what may be done with the entries of a type to what the rules allow for some of them.

import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Entry, EntryRights, Type } from '../../described.ts'
import { useLive } from '../live.ts'
import { ask } from '../server.ts'
import type { BulkAction } from './bulk-words.ts'

const NONE: EntryRights = { update: [], updateMany: [], delete: [] }

/** By action, the permission whose rules decide about an entry; publishing changes it, too. */
const RULED: Readonly<Record<string, keyof EntryRights>> = {
  update: 'update',
  updateMany: 'updateMany',
  change: 'updateMany',
  delete: 'delete',
  publish: 'update',
  unpublish: 'update',
  discardDraft: 'update',
}

/** Rules of a permission that the caller does not have decide nothing. */
function isAllowed({ may }: Type, action: string, id: number, rights: EntryRights): boolean {
  const ruled = RULED[action]
  return ruled === undefined || !may.includes(ruled) || rights[ruled].includes(id)
}

/** As many as the server takes in one request. */
const MAX_IDS = 100

async function readRights({ uid: type }: Type, ids: readonly number[]): Promise<EntryRights> {
  const found: EntryRights[] = []
  for (let start = 0; start < ids.length; start += MAX_IDS)
    found.push(await ask<EntryRights>('rights', { type, ids: ids.slice(start, start + MAX_IDS) }))
  return {
    update: found.flatMap(({ update }) => update),
    updateMany: found.flatMap(({ updateMany }) => updateMany),
    delete: found.flatMap((rights) => rights.delete),
  }
}

/** Undefined until the rights are known. A new entry, and a developer, have those of the type. */
export function useEntryRights(type: Type, entry: Entry | null | undefined): Type | undefined {
  const { login } = useLive()
  const [known, setKnown] = useState<{ readonly id: number; readonly rights: EntryRights }>()
  const id = login?.user === undefined ? undefined : entry?.id
  useEffect(() => {
    if (id === undefined) return
    let current = true
    readRights(type, [id]).then(
      (rights) => current && setKnown({ id, rights }),
      () => current && setKnown({ id, rights: NONE }),
    )
    return () => {
      current = false
    }
  }, [type, id])
  return useMemo(() => {
    if (id === undefined) return type
    if (known?.id !== id) return undefined
    return { ...type, may: type.may.filter((action) => isAllowed(type, action, id, known.rights)) }
  }, [type, id, known])
}

interface SelectionRights {
  /** Those of the selection to which it may be done; all of them while that is not known. */
  select(action: BulkAction): readonly Entry[]
  readonly isPending: boolean
  /** Why the rights are not known; then rules are taken to refuse. */
  readonly error: string | undefined
  readAgain(): void
}

interface KnownRights {
  /** The ids that were asked for. */
  readonly of: string
  readonly rights: EntryRights
  readonly error?: string
}

/** Rules do not apply to developers: their rights to an entry are those to its type. */
export function useSelectionRights(type: Type, chosen: readonly Entry[]): SelectionRights {
  const { login } = useLive()
  const [known, setKnown] = useState<KnownRights>()
  const [count, setCount] = useState(0)
  const ids = login?.user === undefined ? [] : chosen.map(({ id }) => id)
  const name = ids.join()
  useEffect(() => {
    if (ids.length === 0) return
    let current = true
    readRights(type, ids).then(
      (rights) => current && setKnown({ of: name, rights }),
      ({ message: error }: Error) => current && setKnown({ of: name, rights: NONE, error }),
    )
    return () => {
      current = false
    }
  }, [type, name, count])
  const found = known?.of === name ? known : undefined
  const isRuled = ids.length > 0
  return {
    select: (action) =>
      isRuled && found !== undefined
        ? chosen.filter(({ id }) => isAllowed(type, action, id, found.rights))
        : chosen,
    isPending: isRuled && found === undefined,
    error: isRuled ? found?.error : undefined,
    readAgain() {
      setKnown(undefined)
      setCount(count + 1)
    },
  }
}
