// Rewrites the shorthands of a file into Strapi's full form, the only one that later steps know.

import type { Diagnostic } from '../../errors/diagnostic.ts'
import type { Interpolation } from '../interpolate-env.ts'
import type { Origins } from '../yaml/origins.ts'
import { expandAccess } from './access.ts'
import { expandBareAttributes } from './bare-attributes.ts'
import { coreWords } from './core-words.ts'
import { expandDatabase } from './database.ts'
import { expandAttributes } from './expand-attributes.ts'
import { Expansion } from './expansion.ts'
import { expandPluginSettings } from './plugin-settings.ts'
import { expandComponentNames, expandSingleTypes, expandTypeOptions } from './sections.ts'
import { joinWords, type PluginShorthands, type Shorthand } from './shorthand.ts'
import { expandTypeNames } from './type-names.ts'

/** In order: a shorthand sees what those before it have made. */
const shorthands: readonly Shorthand[] = [
  expandTypeNames,
  expandSingleTypes,
  expandComponentNames,
  expandBareAttributes,
  expandTypeOptions,
  expandDatabase,
  expandAccess,
  expandPluginSettings,
]

export interface Expanded extends Pick<Interpolation, 'value' | 'interpolated'> {
  /** Of the interpolation and of the shorthands; their paths, as all that follow, lead into the expanded tree. */
  readonly diagnostics: readonly Diagnostic[]
  readonly origins: Origins
  /** What an attribute's type may be called besides Strapi's names: aliases, content-types, components. */
  readonly names: readonly string[]
}

/** Changes the interpolation's value, which is its own copy. */
export function expandShorthands(
  { value, interpolated, diagnostics }: Interpolation,
  plugins: readonly PluginShorthands[],
): Expanded {
  const expansion = new Expansion(value)
  const words = joinWords([coreWords, ...plugins])
  for (const expand of shorthands) expand(expansion, words)
  const names = expandAttributes(expansion, words)
  for (const expand of words.expand) expand(expansion, words)
  const { origins } = expansion
  return {
    value: expansion.value,
    origins,
    names,
    interpolated: interpolated.flatMap((item) =>
      origins.expanded(item.path).map((path) => ({ ...item, path })),
    ),
    diagnostics: [
      ...diagnostics.map((item) => ({ ...item, path: origins.expanded(item.path)[0] ?? item.path })),
      ...expansion.diagnostics,
    ],
  }
}
