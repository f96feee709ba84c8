// The state of planning one payload.

import type { ErrorItem } from '../../lib/errors/api-error.ts'
import { hideTexts, listTexts } from '../../lib/hide-texts.ts'
import type { Access } from '../../model/access.ts'
import type { Attribute, ScalarAttribute } from '../../model/attribute.ts'
import type { Schema } from '../../model/content-type.ts'
import { isShared } from '../../model/localizations.ts'
import type { PlanValue } from '../read-plan.ts'
import { unlimitedWrites, type WriteLimits, WriteTally } from './write-limits.ts'
import type {
  ComponentWrite,
  GeneratedUid,
  LinkWrite,
  MorphWrite,
  ValueChange,
  WritePlan,
} from './write-plan.ts'

export interface PayloadOptions {
  readonly mode: 'create' | 'update'
  readonly draft: boolean
  readonly access: Access
  /** Epoch milliseconds. */
  readonly now: number
  /** Attributes whose values the server's own code set, and that code's access. */
  readonly own?: { readonly names: ReadonlySet<string>; readonly access: Access } | undefined
  /** Seeds may set system attributes; requests never. */
  readonly trusted: boolean
  /**
   * The treatment of a client's value for a `readOnly` or `writeOnce` attribute: a fault, or with
   * `rest.strict: false` ignored. Undefined for the server's own code, which may set it.
   */
  readonly closed?: 'refused' | 'ignored' | undefined
  /** Whether unknown names are faults (`rest.strict`) or ignored. */
  readonly strict?: boolean | undefined
  readonly limits?: WriteLimits | undefined
  /** Of the other writes of the request. */
  readonly tally?: WriteTally | undefined
  /** Whether `required` is ignored for relations and media (`rest.strictRelations: false` of documents). */
  readonly looseRelations?: boolean | undefined
  /** Relations that get their entries after this write. */
  readonly linkedLater?: ReadonlySet<string> | undefined
  readonly documentId?: string | undefined
  /** Whether drafts are rows beside published ones: values then need be unique only when published. */
  readonly versions?: boolean
  readonly documents?: boolean
  readonly variants?: LocaleVariants | undefined
}

export interface LocaleVariants {
  readonly published: boolean
}

export type Path = readonly string[]

export interface Faults {
  readonly items: ErrorItem[]
  more: number
}

export interface PayloadContext {
  readonly options: PayloadOptions
  readonly values: Map<ScalarAttribute, PlanValue>
  readonly changes: Map<ScalarAttribute, ValueChange>
  readonly links: LinkWrite[]
  readonly morphs: MorphWrite[]
  readonly components: ComponentWrite[]
  readonly passwords: ScalarAttribute[]
  readonly uniques: { attribute: ScalarAttribute; path: Path }[]
  readonly generated: GeneratedUid[]
  readonly faults: Faults
  readonly tally: WriteTally
  /** Messages about invalid dates, reported only without other faults. Shared with all components. */
  readonly dateFaults: string[]
}

export function startBuilding(options: PayloadOptions, around?: PayloadContext): PayloadContext {
  return {
    options,
    values: new Map(),
    changes: new Map(),
    links: [],
    morphs: [],
    components: [],
    passwords: [],
    uniques: [],
    generated: [],
    faults: around?.faults ?? { items: [], more: 0 },
    tally: around?.tally ?? options.tally ?? new WriteTally(options.limits ?? unlimitedWrites),
    dateFaults: around?.dateFaults ?? [],
  }
}

export function finishPlan(building: PayloadContext, schema: Schema): WritePlan {
  const { values, changes, links, morphs, components, passwords, uniques, generated } = building
  return { schema, values, changes, links, morphs, components, passwords, uniques, generated }
}

/**
 * An attribute shared with a published locale variant must meet the rules of published entries, even in a
 * draft.
 */
export function toShared(building: PayloadContext, attribute: Attribute): PayloadContext {
  const { options } = building
  const strict = options.draft && options.variants?.published === true && isShared(attribute)
  return strict ? { ...building, options: { ...options, draft: false } } : building
}

export function isOwn({ options }: PayloadContext, path: Path): boolean {
  return path.length === 1 && options.own?.names.has(path[0] ?? '') === true
}

/** A value that the server's own code set is planned with that code's access. */
export function toOwn(building: PayloadContext, path: Path): PayloadContext {
  if (building.options.own === undefined || !isOwn(building, path)) return building
  const { own, ...options } = building.options
  return { ...building, options: { ...options, access: own.access, strict: false } }
}

export function fault(building: PayloadContext, path: Path, message: string): void {
  addFault(building, { path, message, name: 'ValidationError' })
}

function addFault({ faults, options }: PayloadContext, item: ErrorItem): void {
  if (faults.items.length < getMaxFaults(options)) faults.items.push(item)
  else faults.more += 1
}

export function getMaxFaults({ limits = unlimitedWrites }: PayloadOptions): number {
  return limits.faults
}

/** Removes a secret value from error messages. */
export function withoutRepeating(
  { faults, dateFaults }: PayloadContext,
  value: unknown,
  plan: () => void,
): void {
  const before = { faults: faults.items.length, dateFaults: dateFaults.length }
  plan()
  if (faults.items.length === before.faults && dateFaults.length === before.dateFaults) return
  const texts = listTexts(value)
  for (const one of faults.items.splice(before.faults)) {
    faults.items.push({ ...one, message: hideTexts(one.message, texts) })
  }
  for (const one of dateFaults.splice(before.dateFaults)) dateFaults.push(hideTexts(one, texts))
}

/** A relation's fault has the path of the whole payload, and only the first is reported, as in Strapi. */
export function addRelationFault(building: PayloadContext, message: string): void {
  const said = building.faults.items.some(({ path }) => path.length === 0)
  if (!said) addFault(building, { path: [], message, name: 'ValidationError' })
}

/** `boxes[1].title`. */
export function formatLabel(path: Path): string {
  let label = ''
  for (const step of path) label += /^\d+$/.test(step) ? `[${step}]` : label === '' ? step : `.${step}`
  return label
}
