// What planning a payload carries along: the plan so far and everything that is wrong.

import type { ErrorItem } from '../errors/api-error.ts'
import type { Attribute, ScalarAttribute } from '../model/attribute.ts'
import type { AttributeHolder } from '../model/content-type.ts'
import { isShared } from '../model/localizations.ts'
import type { Access } from './planning.ts'
import type { PlanValue } from './read-plan.ts'
import type { ComponentWrite, GeneratedUid, LinkWrite, MorphWrite, WritePlan } from './write-plan.ts'

export interface WriteQuestion {
  readonly mode: 'create' | 'update'
  /** Rules for drafts: required and minLength are not asked (BEHAVIOUR 9.6). */
  readonly draft: boolean
  readonly access: Access
  /** Epoch milliseconds that createdAt, updatedAt and publishedAt get. */
  readonly now: number
  /** Seeds may set the runtime's own attributes; requests never. */
  readonly trusted: boolean
  /** Entries of the same content in other locales, where there are any. */
  readonly siblings?: Siblings | undefined
}

/** They bring along what they share with the entry and the payload of a create leaves out (BEHAVIOUR 10.5). */
export interface Siblings {
  /** Whether one of them is published: a draft must not take from it what published entries need. */
  readonly published: boolean
}

export type Path = readonly string[]

export interface Building {
  readonly question: WriteQuestion
  readonly values: Map<ScalarAttribute, PlanValue>
  readonly links: LinkWrite[]
  readonly morphs: MorphWrite[]
  readonly components: ComponentWrite[]
  readonly passwords: ScalarAttribute[]
  readonly uniques: { attribute: ScalarAttribute; path: Path }[]
  readonly generated: GeneratedUid[]
  /** Shared by a payload and all components in it. */
  readonly faults: ErrorItem[]
  /** Dates that are none; reported when nothing else is wrong. Shared likewise. */
  readonly dateFaults: string[]
}

export function startBuilding(question: WriteQuestion, around?: Building): Building {
  return {
    question,
    values: new Map(),
    links: [],
    morphs: [],
    components: [],
    passwords: [],
    uniques: [],
    generated: [],
    faults: around?.faults ?? [],
    dateFaults: around?.dateFaults ?? [],
  }
}

export function finished(building: Building, holder: AttributeHolder): WritePlan {
  const { values, links, morphs, components, passwords, uniques, generated } = building
  return { holder, values, links, morphs, components, passwords, uniques, generated }
}

/** What a published sibling shares is held to the rules of published entries, in a draft too. */
export function asShared(building: Building, attribute: Attribute): Building {
  const { question } = building
  const strict = question.draft && question.siblings?.published === true && isShared(attribute)
  return strict ? { ...building, question: { ...question, draft: false } } : building
}

export function fault(building: Building, path: Path, message: string): void {
  building.faults.push({ path, message, name: 'ValidationError' })
}

/** What is wrong with relations belongs to the payload, and is said once, as recorded. */
export function relationFault({ faults }: Building, message: string): void {
  if (faults.every(({ path }) => path.length > 0)) faults.push({ path: [], message, name: 'ValidationError' })
}

/** `boxes[1].title` for the path boxes, 1, title. */
export function labelOf(path: Path): string {
  let label = ''
  for (const step of path) label += /^\d+$/.test(step) ? `[${step}]` : label === '' ? step : `.${step}`
  return label
}
