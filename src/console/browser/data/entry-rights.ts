// Narrows what may be done with the entries of a type to what the rules allow for one of them.

import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Entry, EntryRights, Type } from '../../described.ts'
import { useLive } from '../live.ts'
import { ask } from '../server.ts'

const NONE: EntryRights = { update: [], delete: [] }

/** Undefined until the rights are known. A new entry, and a developer, have those of the type. */
export function useEntryRights(type: Type, entry: Entry | null | undefined): Type | undefined {
  const { login } = useLive()
  const [known, setKnown] = useState<{ readonly id: number; readonly rights: EntryRights }>()
  const id = login?.user === undefined ? undefined : entry?.id
  useEffect(() => {
    if (id === undefined) return
    let current = true
    ask<EntryRights>('rights', { type: type.uid, ids: [id] }).then(
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
    const { rights } = known
    const isKept = (action: string): boolean =>
      action === 'update' || action === 'delete' ? rights[action].includes(id) : true
    return { ...type, may: type.may.filter(isKept) }
  }, [type, id, known])
}
