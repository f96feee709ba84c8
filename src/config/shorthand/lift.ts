// Moves what stands at the top of the file into the section that it is short for.

import type { DiagnosticPath } from '../../lib/errors/diagnostic.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { Expansion } from './expansion.ts'

/** Whether it was moved: not if it is not there, or something stands at `to` already, which is reported. */
export function liftInto(expansion: Expansion, key: string, to: DiagnosticPath): boolean {
  if (expansion.at([key]) === undefined) return false
  const schemas = to.slice(0, -1).map((_, index) => expansion.at(to.slice(0, index + 1)))
  // What is no map is left for the check of the shape.
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

/** The same for settings of a plugin, which may be written as `true` so far. */
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
