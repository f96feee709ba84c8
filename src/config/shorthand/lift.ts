// Moves top-level keys of the file into the sections that they are short for.

import type { DiagnosticPath } from '../../lib/errors/diagnostic.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { Expansion } from './expansion.ts'

export function liftInto(expansion: Expansion, key: string, to: DiagnosticPath): boolean {
  if (expansion.at([key]) === undefined) return false
  const schemas = to.slice(0, -1).map((_, index) => expansion.at(to.slice(0, index + 1)))
  // A value that is not a map is left for the check of the shape.
  if (schemas.some((schema) => schema !== undefined && !isRecord(schema))) return false
  if (expansion.at(to) === undefined) {
    expansion.move([key], to)
    return true
  }
  expansion.refuse(
    [key],
    'CFG077',
    [],
    `"${key}" stands under "${to.slice(0, -1).join('.')}", too`,
    'join the two',
  )
  return false
}

export function liftIntoPlugin(
  expansion: Expansion,
  key: string,
  plugin: string,
  to: DiagnosticPath,
): boolean {
  if (expansion.at([key]) === undefined) return false
  const place = ['plugins', plugin]
  const own = expansion.at(place)
  if (own === false) {
    const message = `"${key}" is for the plugin ${plugin}, which is switched off`
    expansion.refuse([key], 'CFG077', [], message, `take "${key}" out, or "${plugin}: false"`)
    return false
  }
  if (own === true) expansion.replace(place, {})
  return liftInto(expansion, key, [...place, ...to])
}
