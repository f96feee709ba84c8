// What planning a payload carries along: the plan so far and everything that is wrong.

import type { ErrorItem } from '../errors/api-error.ts'
import type { ScalarAttribute } from '../model/attribute.ts'
import type { AttributeHolder } from '../model/content-type.ts'
import type { Access } from './planning.ts'
import type { PlanValue } from './read-plan.ts'
import type { ComponentWrite, LinkWrite, MorphWrite, WritePlan } from './write-plan.ts'

export interface WriteQuestion {
  readonly mode: 'create' | 'update'
  /** Rules for drafts: required and minLength are not asked (BEHAVIOUR 9.6). */
  readonly draft: boolean
  readonly access: Access
  /** Epoch milliseconds that createdAt, updatedAt and publishedAt get. */
  readonly now: number
  /** Seeds may set the runtime's own attributes; requests never. */
  readonly trusted: boolean
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
  readonly generated: { attribute: ScalarAttribute; from: string }[]
  /** Shared by a payload and all components in it. */
  readonly faults: ErrorItem[]
  dateFault: string | undefined
}

export function startBuilding(question: WriteQuestion, faults: ErrorItem[] = []): Building {
  return {
    question,
    values: new Map(),
    links: [],
    morphs: [],
    components: [],
    passwords: [],
    uniques: [],
    generated: [],
    faults,
    dateFault: undefined,
  }
}

export function finished(building: Building, holder: AttributeHolder): WritePlan {
  const { values, links, morphs, components, passwords, uniques, generated } = building
  return { holder, values, links, morphs, components, passwords, uniques, generated }
}

export function fault(building: Building, path: Path, message: string): void {
  building.faults.push({ path, message, name: 'ValidationError' })
}

/** `boxes[1].title` for the path boxes, 1, title. */
export function labelOf(path: Path): string {
  let label = ''
  for (const step of path) label += /^\d+$/.test(step) ? `[${step}]` : label === '' ? step : `.${step}`
  return label
}
