// Describes an attribute: for developers in the words of the file, for editors as limits.

import type { Attribute } from '../../described.ts'

/** For developers. */
export function describe(attribute: Attribute): string {
  const { type, component, components, target, relation, min, max, minLength, maxLength, regex } = attribute
  const short = (uid: string): string => uid.replace(/^api::[^.]+\./, '')
  return [
    relation === undefined ? type : `${relation} ${target === undefined ? '' : short(target)}`,
    component,
    components?.join(' | '),
    attribute.many === true && attribute.kind !== 'relation' ? 'several' : '',
    formatRange(min, max, ''),
    formatRange(minLength, maxLength, ' characters'),
    regex === undefined ? '' : `/${regex}/`,
    attribute.unique === true ? 'unique' : '',
    attribute.private === true ? 'private' : '',
    attribute.computed === undefined ? '' : `= ${attribute.computed}`,
  ]
    .filter((part) => part !== undefined && part !== '')
    .join(' · ')
}

function formatRange(low: unknown, high: unknown, unit: string): string {
  if (low === undefined) return high === undefined ? '' : `at most ${high}${unit}`
  return high === undefined ? `at least ${low}${unit}` : `${low}–${high}${unit}`
}

const LISTS: readonly string[] = ['component', 'dynamiczone']

/** What an editor has to keep to: `At most 120 characters, no other entry may have it`. */
export function describeLimits(attribute: Attribute): string {
  const { kind, min, max, minLength, maxLength, unique } = attribute
  const limits = [
    formatLimits(min, max, LISTS.includes(kind) ? ' entries' : ''),
    formatLimits(minLength, maxLength, ' characters'),
    unique === true ? 'no other entry may have the same' : '',
  ]
  const text = limits.filter((limit) => limit !== '').join(', ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function formatLimits(low: unknown, high: unknown, unit: string): string {
  return low === undefined || high === undefined
    ? formatRange(low, high, unit)
    : `between ${low} and ${high}${unit}`
}
