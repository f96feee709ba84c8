// Walks over the populated fields of an entry; the caller decides what is built.

import { invariant } from '../../lib/errors/invariant.ts'
import type { PopulatePlan, ReadPlan } from '../../plan/read-plan.ts'
import type { EntryRow, MixedRow, PopulatedValue } from './entry.ts'

/** `uid`: set for components of a dynamic zone. */
export type EntryRole =
  | { readonly kind: 'related' }
  | { readonly kind: 'component'; readonly uid: string | undefined }
  | { readonly kind: 'morph'; readonly uid: string }

/** `E`: the value of one entry; `M`: of a populated field with one or many entries. */
export interface PlanFold<E, M> {
  /** Called once for a plan; the returned function is called for each entry. */
  entry(plan: ReadPlan, role: EntryRole): (entry: EntryRow) => E
  member(populate: PopulatePlan): PopulatedForm<E, M>
}

interface PopulatedForm<E, M> {
  one(value: E | undefined): M
  many<R>(rows: readonly R[], make: (row: R) => E): M
  count(entries: number): M
}

const RELATED: EntryRole = { kind: 'related' }
const COMPONENT: EntryRole = { kind: 'component', uid: undefined }

export function foldPopulated<E, M>(
  populate: PopulatePlan,
  fold: PlanFold<E, M>,
): (value: PopulatedValue) => M {
  const form = fold.member(populate)
  switch (populate.kind) {
    case 'relation':
      if (populate.count) return (value) => form.count(Array.isArray(value) ? value.length : 0)
      return ofEntries(fold.entry(populate.plan, RELATED), form)
    case 'component':
      return ofEntries(fold.entry(populate.plan, COMPONENT), form)
    case 'zone': {
      const makes = populate.plans.map(({ component, plan }) =>
        fold.entry(plan, { kind: 'component', uid: component.uid }),
      )
      return ofMixed(makes, true, form)
    }
    case 'morph': {
      const makes = populate.plans.map(({ type, plan }) => fold.entry(plan, { kind: 'morph', uid: type.uid }))
      return ofMixed(makes, populate.many, form)
    }
  }
}

function ofEntries<E, M>(
  make: (entry: EntryRow) => E,
  form: PopulatedForm<E, M>,
): (value: PopulatedValue) => M {
  return (value) => {
    if (Array.isArray(value)) return form.many(value as readonly EntryRow[], make)
    return form.one(value === null ? undefined : make(value as EntryRow))
  }
}

function ofMixed<E, M>(
  makes: readonly ((entry: EntryRow) => E)[],
  many: boolean,
  form: PopulatedForm<E, M>,
): (value: PopulatedValue) => M {
  const make = ({ level, entry }: MixedRow): E => {
    const own = makes[level]
    invariant(own !== undefined, `no plan for level ${level}`)
    return own(entry)
  }
  return (value) => {
    const rows = (value ?? []) as readonly MixedRow[]
    if (many) return form.many(rows, make)
    const [first] = rows
    return form.one(first === undefined ? undefined : make(first))
  }
}
