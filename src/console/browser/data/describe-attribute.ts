// Describes an attribute: for developers in the words of the file, for editors as limits.

import type { Attribute } from '../../described.ts'
import { say, sayCount } from '../messages.ts'

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

type Limit = number | string | undefined

const LISTS: readonly string[] = ['component', 'dynamiczone']

/** What an editor has to keep to: `At most 120 characters, no other entry may have it`. */
export function describeLimits(attribute: Attribute): string {
  const { kind, min, max, minLength, maxLength, unique } = attribute
  const limits = [
    LISTS.includes(kind) ? limitEntries(min, max) : limitValue(min, max),
    limitCharacters(minLength, maxLength),
    unique === true ? say('no other entry may have the same') : '',
  ]
  const text = limits.filter((limit) => limit !== '').join(', ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The numbers are as one writes them into the field. */
function limitValue(min: Limit, max: Limit): string {
  if (min !== undefined && max !== undefined) return say('between {min} and {max}', { min, max })
  if (min !== undefined) return say('at least {min}', { min })
  return max === undefined ? '' : say('at most {max}', { max })
}

function limitEntries(low: Limit, high: Limit): string {
  const [min, max] = [Number(low), Number(high)]
  if (low !== undefined && high !== undefined) return say('between {min} and {max} entries', { min, max })
  if (low !== undefined) return sayCount(min, 'at least one entry', 'at least {count} entries')
  return high === undefined ? '' : sayCount(max, 'at most one entry', 'at most {count} entries')
}

function limitCharacters(low: number | undefined, high: number | undefined): string {
  if (low !== undefined && high !== undefined)
    return say('between {low} and {high} characters', { low, high })
  if (low !== undefined) return sayCount(low, 'at least one character', 'at least {count} characters')
  return high === undefined ? '' : sayCount(high, 'at most one character', 'at most {count} characters')
}
