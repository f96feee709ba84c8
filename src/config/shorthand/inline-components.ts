// Moves a component that is declared where it is used into `components`, named after its path.

import type { DiagnosticPath } from '../../lib/errors/diagnostic.ts'
import { toKebabCase } from '../../lib/kebab-case.ts'
import { getSingular } from '../names-of.ts'
import type { InlineForm } from './attribute-form.ts'
import type { Expansion } from './expansion.ts'

export interface Place {
  readonly category: string
  readonly prefix: string
}

export function extractComponent(
  expansion: Expansion,
  path: DiagnosticPath,
  { from, repeatable, rest }: InlineForm,
  place: Place,
): string | undefined {
  const attribute = String(path.at(-1))
  const uid = `${place.category}.${place.prefix}${getName(attribute, repeatable)}`
  if (expansion.at(['components', uid]) !== undefined) {
    const help = `name one of the two otherwise, or use the other with "${attribute}: ${repeatable ? `[${uid}]` : uid}"`
    expansion.refuse(path, 'CFG073', [], `"${attribute}" would be the component "${uid}", which exists`, help)
    return undefined
  }
  const declared = expansion.at([...path, ...from])
  const keys = { type: 'component', component: uid, ...(repeatable && { repeatable }), ...rest }
  expansion.replace(path, { ...keys, made: declared }, [[['made'], from]])
  expansion.move([...path, 'made'], ['components', uid])
  return uid
}

function getName(attribute: string, repeatable: boolean): string {
  const name = toKebabCase(attribute)
  return repeatable ? getSingular(name) : name
}
