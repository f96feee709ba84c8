// Finds a plan's cache key, types, size and relations in one walk.

import { ApiError } from '../lib/errors/api-error.ts'
import type { ComponentAttribute, MediaAttribute, RelationAttribute } from '../model/attribute.ts'
import { planLimits } from './planning.ts'
import type { Condition, Highlights, PopulatePlan, ReadPlan, SortKey, ValueExpression } from './read-plan.ts'

interface PlanFacts {
  /** Queries with the same key differ only in values and share their SQL. */
  readonly key: string
  /**
   * The uids of the types that are shown, filtered or sorted by. A link belongs to the content-types on both
   * sides, so a change of links is a change of one of them.
   */
  readonly types: readonly string[]
  /** The types that decide which entries are listed, and how many. */
  readonly listTypes: readonly string[]
  /** Estimated bytes of the plan and of everything made from it, for caches. */
  readonly weight: number
  readonly relations: number
}

/** Bytes per level, column and condition; measured including encoders and statements. */
const LEVEL_BYTES = 3000
const COLUMN_BYTES = 100
const CONDITION_BYTES = 300

const known = new WeakMap<ReadPlan, PlanFacts>()

export function getFacts(plan: ReadPlan): PlanFacts {
  let facts = known.get(plan)
  if (facts === undefined) {
    const walk = new PlanWalk()
    const key = walk.level(plan)
    const { listTypes, weight, relations } = walk
    facts = { key, types: [...walk.types], listTypes, weight, relations }
    known.set(plan, facts)
  }
  return facts
}

/**
 * Limits the relations per statement, after the caller's rules were added: each is a subquery of about 0.1 ms
 * to build, and SQLite takes a few hundred. Throws ValidationError.
 */
export function assertSize({ relations }: PlanFacts): void {
  const most = planLimits.relations
  if (relations > most)
    throw new ApiError(
      'ValidationError',
      `Too many relations in the filters and sort of one list: at most ${most} are allowed; compare several values with $in, or send several requests`,
    )
}

class PlanWalk {
  readonly types = new Set<string>()
  listTypes: readonly string[] = []
  weight = 0
  relations = 0
  #steps = 0

  level(plan: ReadPlan): string {
    const { schema, columns, sort, condition, keyset, populate, locales } = plan
    this.types.add(schema.uid)
    this.weight += LEVEL_BYTES + COLUMN_BYTES * columns.length + CONDITION_BYTES * sort.length
    const above = this.#steps
    this.#steps = 0
    const where = condition === undefined ? '' : this.#condition(condition)
    const order = sort.map((key) => this.#sortKey(key)).join(',')
    const behind = keyset?.behind === undefined ? '' : this.#condition(keyset.behind)
    this.relations = Math.max(this.relations, this.#steps)
    this.#steps = above
    if (this.listTypes.length === 0) this.listTypes = [...this.types]
    const names = columns.map(({ name }) => name).join(',')
    const populated = populate.map((field) => this.#member(field)).join(';')
    const page = `#${plan.limit ?? ''}/${plan.offset ?? ''}${plan.reversed === true ? '-' : ''}`
    const after = keyset === undefined ? '' : `>${behind}`
    const others = locales === undefined ? '' : `@${this.level(locales.variants.plan)}`
    const access = plan.seesPrivate === true ? '*' : ''
    const revision = plan.revision === undefined ? '' : '%'
    const marked = plan.highlights === undefined ? '' : this.#highlights(plan.highlights)
    return `${access}${revision}${marked}${schema.collectionName}(${names})?${where}^${order}${page}{${populated}}${after}${others}`
  }

  #highlights({ attributes, terms }: Highlights): string {
    this.weight += COLUMN_BYTES * attributes.length
    return `<${attributes.map(({ name }) => name).join(',')}/${terms.join(',')}>`
  }

  #member(populate: PopulatePlan): string {
    const { name } = populate.attribute
    switch (populate.kind) {
      case 'zone':
        return `${name}[${populate.plans.map(({ component, plan }) => `${component.uid}:${this.level(plan)}`).join('|')}]`
      case 'morph':
        return `${name}<${populate.plans.map(({ type, through, plan }) => `${type.uid}.${through?.name ?? ''}:${this.level(plan)}`).join('|')}>`
      default:
        return `${name}=${this.level(populate.plan)}`
    }
  }

  #step(attribute: RelationAttribute | MediaAttribute | ComponentAttribute): string {
    this.#steps += 1
    if (attribute.kind === 'component') this.types.add(attribute.component.uid)
    else if (attribute.target !== undefined) this.types.add(attribute.target.uid)
    else if (attribute.kind === 'relation') for (const { uid } of attribute.targets) this.types.add(uid)
    return attribute.name
  }

  #sortKey({ through, only, attribute, value, counts, descending }: SortKey): string {
    const steps = through.map((step) => this.#step(step) + this.#only(only.get(step)))
    const own = value === undefined ? attribute.name : this.#value(value)
    const path = [...steps, counts === true ? '#' : own].join('.')
    return descending ? `-${path}` : path
  }

  #only(condition: Condition | undefined): string {
    return condition === undefined ? '' : `!${this.#condition(condition)}!`
  }

  #condition(condition: Condition): string {
    this.weight += CONDITION_BYTES
    switch (condition.kind) {
      case 'and':
      case 'or':
        return `${condition.kind}[${condition.conditions.map((part) => this.#condition(part)).join(' ')}]`
      case 'not':
        return `not[${this.#condition(condition.condition)}]`
      case 'compare':
        return `${condition.attribute.name} ${condition.operator.name} ${condition.slots.join('+')}${condition.indexed === true ? '~' : ''}`
      case 'compareValues':
        return `(${this.#value(condition.left)} ${condition.operator} ${this.#value(condition.right)})`
      case 'textTest':
        return `(${this.#value(condition.text)} ${condition.test} ${this.#value(condition.part)})`
      case 'valueIsNull':
        return `(${this.#value(condition.value)} null)`
      case 'related': {
        const related = condition.condition === undefined ? '' : this.#condition(condition.condition)
        return `${this.#step(condition.attribute)}${this.#only(condition.only)}<${related}>`
      }
    }
  }

  #value(value: ValueExpression): string {
    switch (value.kind) {
      case 'attribute':
        return [...value.through.map((step) => this.#step(step)), value.attribute.name].join('.')
      case 'json':
        return `${value.attribute.name}->${typeof value.path === 'number' ? value.path : JSON.stringify(value.path)}${value.as}`
      case 'relevance':
        return `relevance[${value.attributes.map(({ name }) => name).join(',')}/${value.terms.join(',')}]`
      case 'links':
        return `#${this.#step(value.attribute)}${this.#only(value.only)}`
      case 'slot':
        return `$${value.slot}:${value.column}`
      case 'null':
        return 'null'
      case 'ordinary':
        return `ordinary[${this.#value(value.value)}]`
      case 'size':
        return `size[${this.#value(value.text)}]`
      case 'arithmetic':
        return `(${this.#value(value.left)} ${value.operator}${value.whole ? '!' : ''} ${this.#value(value.right)})`
      case 'concat':
        return `(${this.#value(value.left)} & ${this.#value(value.right)})`
      case 'conditional':
        return `case[${value.cases.map(({ when, value: then }) => `${this.#condition(when)}=>${this.#value(then)}`).join(';')}]`
    }
  }
}
