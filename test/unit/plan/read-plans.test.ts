// Parameters of a request -> the plan of its read: `reads/*.case`.

import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Condition, Page, PopulatePlan, ReadPlan, SortKey } from '../../../src/plan/read-plan.ts'
import { runTables } from '../../support/table-file.ts'
import { outcomeOf, questionOf, shown } from './library.ts'

runTables(join(dirname(fileURLToPath(import.meta.url)), 'reads'), (given) =>
  outcomeOf(() => {
    const { plan, page, values } = questionOf(given)
    return [
      ...planLines(plan),
      ...(page === undefined ? [] : [pageLine(page)]),
      ...values.map((value, slot) => `$${slot} = ${shown(value)}`),
    ].join('\n')
  }),
)

function planLines(plan: ReadPlan): readonly string[] {
  const { schema: holder, condition, sort, limit, offset, populate, faults, locales, reversed } = plan
  const columns = plan.columns.map(({ name }) => name)
  return [
    `read ${holder.collectionName}: ${columns.join(', ') || 'the id'}`,
    ...(condition === undefined ? [] : [`where ${conditionText(condition)}`]),
    ...(sort.length === 0 ? [] : [`sort ${sort.map(sortText).join(', ')}`]),
    ...(reversed === true ? ['reversed'] : []),
    ...(limit === undefined ? [] : [`limit $${limit} offset $${offset}`]),
    ...populate.flatMap(populateLines),
    ...(locales === undefined ? [] : [`locale ${locales.own.name} and`, ...populateLines(locales.variants)]),
    ...[...(faults ?? [])].map(([key, fault]) => `${key}: ${fault.name}: ${fault.message}`),
  ]
}

function populateLines(populate: PopulatePlan): readonly string[] {
  const { key, attribute } = populate
  const name = key === attribute.name ? key : `${key} (${attribute.name})`
  if (populate.kind === 'zone') {
    return [
      `+ ${name}, a zone`,
      ...populate.plans.flatMap(({ component, plan }) => [
        `  ${component.uid}`,
        ...indented(planLines(plan), 4),
      ]),
    ]
  }
  if (populate.kind === 'morph') {
    return [
      `+ ${name}, ${populate.many ? 'many' : 'one'} of any type`,
      ...populate.plans.flatMap(({ type, through, plan }) => [
        `  ${type.uid}${through === undefined ? '' : ` through ${through.name}`}`,
        ...indented(planLines(plan), 4),
      ]),
    ]
  }
  const count = 'count' in populate && populate.count ? ', counted' : ''
  return [`+ ${name}, ${populate.many ? 'many' : 'one'}${count}`, ...indented(planLines(populate.plan), 4)]
}

function indented(lines: readonly string[], by: number): readonly string[] {
  return lines.map((line) => ' '.repeat(by) + line)
}

function conditionText(condition: Condition): string {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return `${condition.kind}(${condition.conditions.map(conditionText).join(', ')})`
    case 'not':
      return `not(${conditionText(condition.condition)})`
    case 'compare': {
      const slots = condition.slots.map((slot) => ` $${slot}`).join('')
      return `${condition.attribute.name} ${condition.operator.name.replace('$', '')}${slots}`
    }
    case 'compareValues':
      return `${condition.left.kind} ${condition.operator} ${condition.right.kind}`
    case 'textTest':
      return `${condition.text.kind} ${condition.test} ${condition.part.kind}`
    case 'valueIsNull':
      return `${condition.value.kind} is null`
    case 'related': {
      const inner = condition.condition === undefined ? '' : conditionText(condition.condition)
      return `${onlyText(condition.only)}${condition.attribute.name}[${inner}]`
    }
  }
}

/** Drafts are all that these questions hide. */
function onlyText(only: Condition | undefined): string {
  if (only === undefined) return ''
  const text = conditionText(only)
  return text === 'publishedAt notNull' ? 'published ' : `only(${text}) `
}

function sortText({ through, attribute, descending, only }: SortKey): string {
  const steps = through.map((step) => `${onlyText(only.get(step))}${step.name}`)
  return `${[...steps, attribute.name].join('.')}${descending ? ' descending' : ''}`
}

function pageLine(page: Page): string {
  const counted = page.withCount ? ', with the total' : ''
  if (page.kind === 'after') return `${page.pageSize} behind a cursor${counted}`
  return page.kind === 'page'
    ? `page ${page.page} of ${page.pageSize}${counted}`
    : `from ${page.start}, ${page.limit} of them${counted}`
}
