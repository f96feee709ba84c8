// The checker's raw errors -> faults with a path, one for each mistake: the echoes that `if`, `oneOf` and
// `propertyNames` add are dropped.

import type { DiagnosticPath } from '../errors/diagnostic.ts'
import { didYouMean } from '../util/did-you-mean.ts'
import type { SchemaFault } from './generated/validate-config.js'

export interface ShapeFault {
  readonly keyword: string
  readonly path: DiagnosticPath
  readonly params: Readonly<Record<string, unknown>>
  /** The schema that the value was held against. */
  readonly schema: Readonly<Record<string, unknown>>
  readonly found: unknown
}

const echoes: ReadonlySet<string> = new Set(['if', 'oneOf'])

/** In the order of the checker. */
export function shapeFaultsOf(errors: readonly SchemaFault[], root: unknown): readonly ShapeFault[] {
  const faults: ShapeFault[] = []
  for (const { keyword, instancePath, params, propertyName, parentSchema = {}, data } of errors) {
    // The inner error of `propertyNames` says less than the outer one.
    if (echoes.has(keyword) || propertyName !== undefined) continue
    if (keyword === 'discriminator' && params['tagValue'] === undefined) continue
    faults.push({ keyword, path: pathOf(instancePath, root), params, schema: parentSchema, found: data })
  }
  return withoutEnumTwins(withoutMissingTwins(faults))
}

/** A value of another type is none of the listed ones either. */
function withoutEnumTwins(faults: readonly ShapeFault[]): readonly ShapeFault[] {
  const places = faults.filter(({ keyword }) => keyword === 'type').map(({ path }) => path.join('\0'))
  const mistyped = new Set(places)
  return faults.filter(({ keyword, path }) => keyword !== 'enum' || !mistyped.has(path.join('\0')))
}

/** A mistyped key is unknown under its name, and missing under the right one: the first says it all. */
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

/** A JSON pointer does not say whether `0` is an index or a key; the value does. */
function pathOf(pointer: string, root: unknown): DiagnosticPath {
  const path: (string | number)[] = []
  let value = root
  for (const escaped of pointer.split('/').slice(1)) {
    const step = escaped.replaceAll('~1', '/').replaceAll('~0', '~')
    path.push(Array.isArray(value) ? Number(step) : step)
    value = Reflect.get(Object(value), step)
  }
  return path
}
