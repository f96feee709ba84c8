// The state of planning one payload: the plan so far and all faults.

import type { ErrorItem } from '../../lib/errors/api-error.ts'
import { hideTexts, listTexts } from '../../lib/hide-texts.ts'
import type { Access } from '../../model/access.ts'
import type { Attribute, ScalarAttribute } from '../../model/attribute.ts'
import type { Schema } from '../../model/content-type.ts'
import { isShared } from '../../model/localizations.ts'
import type { PlanValue } from '../read-plan.ts'
import { unlimitedWrites, type WriteLimits, WriteTally } from './write-limits.ts'
import type { ComponentWrite, GeneratedUid, LinkWrite, MorphWrite, WritePlan } from './write-plan.ts'

export interface PayloadOptions {
  readonly mode: 'create' | 'update'
  /** Whether the rules for drafts apply: required and minLength are not checked. */
  readonly draft: boolean
  readonly access: Access
  /** Epoch milliseconds that createdAt, updatedAt and publishedAt get. */
  readonly now: number
  /** Attributes of the entry whose values the server's own code set, and the access of that code. */
  readonly own?: { readonly names: ReadonlySet<string>; readonly access: Access } | undefined
  /** Seeds may set the runtime's own attributes; requests never. */
  readonly trusted: boolean
  /**
   * What happens to a client's value for an attribute that it may not set (`readOnly`, `writeOnce`): it is a fault, or
   * with `rest.strict: false` ignored. Undefined for the server's own code, which may set it.
   */
  readonly closed?: 'refused' | 'ignored' | undefined
  /** Whether names that are no attributes are faults (`rest.strict`); otherwise they are ignored. */
  readonly strict?: boolean | undefined
  /** Undefined: no limits, for payloads that no client sends. */
  readonly limits?: WriteLimits | undefined
  /** Whether `required` does not count for relations and media (`rest.strictRelations: false` of documents). */
  readonly looseRelations?: boolean | undefined
  /** The document that a new row belongs to; undefined: a new document. */
  readonly documentId?: string | undefined
  /** Whether drafts are rows beside what is published: then values need not be unique before they are published. */
  readonly versions?: boolean
  /** Whether the entry is a version of a document: some rules and sentences of Strapi 5 differ. */
  readonly documents?: boolean
  /** Entries of the same content in other locales, where there are any. */
  readonly variants?: LocaleVariants | undefined
}

/** The localizations of an entry. They supply the shared attributes that the payload of a create leaves out. */
export interface LocaleVariants {
  /** Whether one of them is published: then a draft must not empty shared attributes that published entries need. */
  readonly published: boolean
}

export type Path = readonly string[]

/** The first faults, and the number of further ones. */
export interface Faults {
  readonly items: ErrorItem[]
  more: number
}

export interface PayloadContext {
  readonly options: PayloadOptions
  readonly values: Map<ScalarAttribute, PlanValue>
  readonly links: LinkWrite[]
  readonly morphs: MorphWrite[]
  readonly components: ComponentWrite[]
  readonly passwords: ScalarAttribute[]
  readonly uniques: { attribute: ScalarAttribute; path: Path }[]
  readonly generated: GeneratedUid[]
  /** The faults of the payload and all components in it. */
  readonly faults: Faults
  /** Shared with all components, too. */
  readonly tally: WriteTally
  /** Messages about invalid dates; reported only when there is no other fault. Shared with all components, too. */
  readonly dateFaults: string[]
}

export function startBuilding(options: PayloadOptions, around?: PayloadContext): PayloadContext {
  return {
    options,
    values: new Map(),
    links: [],
    morphs: [],
    components: [],
    passwords: [],
    uniques: [],
    generated: [],
    faults: around?.faults ?? { items: [], more: 0 },
    tally: around?.tally ?? new WriteTally(options.limits ?? unlimitedWrites),
    dateFaults: around?.dateFaults ?? [],
  }
}

export function finished(building: PayloadContext, schema: Schema): WritePlan {
  const { values, links, morphs, components, passwords, uniques, generated } = building
  return { schema, values, links, morphs, components, passwords, uniques, generated }
}

/** An attribute shared with a published sibling must meet the rules of published entries, even in a draft. */
export function asShared(building: PayloadContext, attribute: Attribute): PayloadContext {
  const { options } = building
  const strict = options.draft && options.variants?.published === true && isShared(attribute)
  return strict ? { ...building, options: { ...options, draft: false } } : building
}

/** Whether the server's own code set the attribute's value. */
export function isOwn({ options }: PayloadContext, path: Path): boolean {
  return path.length === 1 && options.own?.names.has(path[0] ?? '') === true
}

/** A value that the server's own code set is planned with that code's access, and so is everything in it. */
export function asOwn(building: PayloadContext, path: Path): PayloadContext {
  if (building.options.own === undefined || !isOwn(building, path)) return building
  const { own, ...options } = building.options
  return { ...building, options: { ...options, access: own.access, strict: false } }
}

export function fault(building: PayloadContext, path: Path, message: string): void {
  addFault(building, { path, message, name: 'ValidationError' })
}

function addFault({ faults, options }: PayloadContext, item: ErrorItem): void {
  if (faults.items.length < mostFaults(options)) faults.items.push(item)
  else faults.more += 1
}

export function mostFaults({ limits = unlimitedWrites }: PayloadOptions): number {
  return limits.faults
}

/** Removes a secret value from the faults that `plan` finds, so that an error message does not repeat it. */
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

/** Faults of relations have the path of the whole payload, and only the first one is reported, as recorded. */
export function relationFault(building: PayloadContext, message: string): void {
  const said = building.faults.items.some(({ path }) => path.length === 0)
  if (!said) addFault(building, { path: [], message, name: 'ValidationError' })
}

/** `boxes[1].title` for the path boxes, 1, title. */
export function formatLabel(path: Path): string {
  let label = ''
  for (const step of path) label += /^\d+$/.test(step) ? `[${step}]` : label === '' ? step : `.${step}`
  return label
}
