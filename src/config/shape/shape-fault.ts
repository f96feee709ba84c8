// Turns the schema checker's raw errors into one fault for each mistake.

import { didYouMean } from '../../lib/did-you-mean.ts'
import type { DiagnosticPath } from '../../lib/errors/diagnostic.ts'
import type { SchemaFault } from '../generated/validate-config.js'

export interface ShapeFault {
  readonly keyword: string
  readonly path: DiagnosticPath
  readonly params: Readonly<Record<string, unknown>>
  readonly schema: Readonly<Record<string, unknown>>
  readonly found: unknown
}

const echoes: ReadonlySet<string> = new Set(['if', 'oneOf'])

export function listShapeFaults(errors: readonly SchemaFault[], root: unknown): readonly ShapeFault[] {
  const faults: ShapeFault[] = []
  for (const { keyword, instancePath, params, propertyName, parentSchema = {}, data } of errors) {
    // Drops inner errors of `propertyNames`, which say less than the outer one.
    if (echoes.has(keyword) || propertyName !== undefined) continue
    if (isOther(keyword, params, parentSchema)) continue
    if (keyword === 'discriminator' && params['tagValue'] === undefined) continue
    faults.push({ keyword, path: buildPath(instancePath, root), params, schema: parentSchema, found: data })
  }
  return withoutEnumTwins(withoutMissingTwins(faults))
}

function isOther(keyword: string, params: ShapeFault['params'], schema: ShapeFault['schema']): boolean {
  if (keyword !== 'additionalProperties' || schema['open'] !== true) return false
  const known = Object.keys(Object(schema['properties']))
  return didYouMean(String(params['additionalProperty']), known) === undefined
}

/** Drops an `enum` fault when the same value already has the wrong type. */
function withoutEnumTwins(faults: readonly ShapeFault[]): readonly ShapeFault[] {
  const places = faults.filter(({ keyword }) => keyword === 'type').map(({ path }) => path.join('\0'))
  const mistyped = new Set(places)
  return faults.filter(({ keyword, path }) => keyword !== 'enum' || !mistyped.has(path.join('\0')))
}

/** Drops the fault of a missing key that a mistyped key causes besides its own. */
function withoutMissingTwins(faults: readonly ShapeFault[]): readonly ShapeFault[] {
  const unknown = new Map<string, Set<string>>()
  for (const { keyword, path, params, schema } of faults) {
    if (keyword !== 'additionalProperties') continue
    const meant = didYouMean(String(params['additionalProperty']), Object.keys(schema['properties'] ?? {}))
    if (meant === undefined) continue
    const place = path.join('\0')
    unknown.set(place, (unknown.get(place) ?? new Set()).add(meant))
  }
  return faults.filter(
    ({ keyword, path, params }) =>
      keyword !== 'required' || !unknown.get(path.join('\0'))?.has(String(params['missingProperty'])),
  )
}

/** Needs the value, since a JSON pointer does not tell whether `0` is an index or a key. */
function buildPath(pointer: string, root: unknown): DiagnosticPath {
  const path: (string | number)[] = []
  let value = root
  for (const escaped of pointer.split('/').slice(1)) {
    const step = escaped.replaceAll('~1', '/').replaceAll('~0', '~')
    path.push(Array.isArray(value) ? Number(step) : step)
    value = Reflect.get(Object(value), step)
  }
  return path
}
