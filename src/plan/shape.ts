// Writes a plan's structure as text. Two questions with the same shape differ only in their values and share their SQL.

import type { Condition, Keyset, PopulatePlan, ReadPlan, SortKey, ValueExpression } from './read-plan.ts'

export function shapeOf(plan: ReadPlan): string {
  const columns = plan.columns.map((attribute) => attribute.name).join(',')
  const sort = plan.sort.map(sortShape).join(',')
  const condition = plan.condition === undefined ? '' : conditionShape(plan.condition)
  const populate = plan.populate.map(populateShape).join(';')
  return `${plan.seesPrivate === true ? '*' : ''}${plan.holder.collectionName}(${columns})?${condition}^${sort}#${plan.limit ?? ''}/${plan.offset ?? ''}${plan.reversed === true ? '-' : ''}{${populate}}${plan.keyset === undefined ? '' : keysetShape(plan.keyset)}${plan.locales === undefined ? '' : `@${shapeOf(plan.locales.siblings.plan)}`}`
}

function keysetShape({ behind }: Keyset): string {
  return `>${behind === undefined ? '' : conditionShape(behind)}`
}

function sortShape(key: SortKey): string {
  const steps = key.through.map((step) => `${step.name}${onlyShape(key.only.get(step))}`)
  const path = [...steps, key.attribute.name].join('.')
  return key.descending ? `-${path}` : path
}

function conditionShape(condition: Condition): string {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return `${condition.kind}[${condition.conditions.map(conditionShape).join(' ')}]`
    case 'not':
      return `not[${conditionShape(condition.condition)}]`
    case 'compare':
      return `${condition.attribute.name} ${condition.operator.name} ${condition.slots.join('+')}${condition.indexed === true ? '~' : ''}`
    case 'compareValues':
      return `(${valueShape(condition.left)} ${condition.operator} ${valueShape(condition.right)})`
    case 'textTest':
      return `(${valueShape(condition.text)} ${condition.test} ${valueShape(condition.part)})`
    case 'valueIsNull':
      return `(${valueShape(condition.value)} null)`
    case 'related':
      return `${condition.attribute.name}${onlyShape(condition.only)}<${condition.condition === undefined ? '' : conditionShape(condition.condition)}>`
  }
}

function onlyShape(only: Condition | undefined): string {
  return only === undefined ? '' : `!${conditionShape(only)}!`
}

function valueShape(value: ValueExpression): string {
  switch (value.kind) {
    case 'attribute':
      return [...value.through, value.attribute].map(({ name }) => name).join('.')
    case 'slot':
      return `$${value.slot}:${value.column}`
    case 'null':
      return 'null'
    case 'ordinary':
      return `ordinary[${valueShape(value.value)}]`
    case 'size':
      return `size[${valueShape(value.text)}]`
    case 'arithmetic':
      return `(${valueShape(value.left)} ${value.operator}${value.whole ? '!' : ''} ${valueShape(value.right)})`
    case 'concat':
      return `(${valueShape(value.left)} & ${valueShape(value.right)})`
    case 'conditional':
      return `case[${value.cases.map(({ when, value: then }) => `${conditionShape(when)}=>${valueShape(then)}`).join(';')}]`
  }
}

function populateShape(populate: PopulatePlan): string {
  if (populate.kind === 'zone') {
    const plans = populate.plans.map(({ component, plan }) => `${component.uid}:${shapeOf(plan)}`)
    return `${populate.attribute.name}[${plans.join('|')}]`
  }
  if (populate.kind === 'morph') {
    const plans = populate.plans.map(
      ({ type, through, plan }) => `${type.uid}.${through?.name ?? ''}:${shapeOf(plan)}`,
    )
    return `${populate.attribute.name}<${plans.join('|')}>`
  }
  return `${populate.attribute.name}=${shapeOf(populate.plan)}`
}
