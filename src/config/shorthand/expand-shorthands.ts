// Rewrites the shorthands of a file into Strapi's full form, the only one that later steps accept.

import { didYouMean } from '../../lib/did-you-mean.ts'
import type { Diagnostic } from '../../lib/errors/diagnostic.ts'
import { isRecord } from '../../lib/is-record.ts'
import { databaseClients } from '../database-clients.ts'
import type { Interpolation } from '../interpolate-env.ts'
import type { Origins } from '../yaml/origins.ts'
import { expandBareAttributes } from './bare-attributes.ts'
import { expandAttributes } from './expand-attributes.ts'
import { Expansion } from './expansion.ts'
import { liftInto } from './lift.ts'
import { expandPermissionRules } from './permission-rules.ts'
import { expandComponentNames, expandSingleTypes, expandTypeOptions } from './sections.ts'
import type { PluginShorthands } from './shorthand.ts'
import { joinWords, type Shorthand } from './shorthand.ts'
import { expandTypeNames } from './type-names.ts'

/** In order: each shorthand sees the results of those before it. */
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

export interface ExpandedConfig extends Pick<Interpolation, 'value' | 'interpolated'> {
  /** All paths lead into the expanded tree. */
  readonly diagnostics: readonly Diagnostic[]
  readonly origins: Origins
  readonly names: readonly string[]
}

/** Changes the interpolation's value, which is its own copy. */
export function expandShorthands(
  { value, interpolated, diagnostics }: Interpolation,
  plugins: readonly PluginShorthands[],
): ExpandedConfig {
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

/** `public: [article.read]`, `users: […]`, and a role that is only a list of permissions. */
function expandAccess(expansion: Expansion): void {
  liftInto(expansion, 'public', ['auth', 'roles', 'public'])
  liftInto(expansion, 'users', ['auth', 'users'])
  for (const [name, role] of expansion.entries(['auth', 'roles'])) {
    if (!Array.isArray(role)) continue
    expansion.replace(['auth', 'roles', name], { permissions: role }, [[['permissions'], []]])
  }
  expandPermissionRules(expansion)
}

function expandDatabase(expansion: Expansion): void {
  const value = expansion.at(['database'])
  if (typeof value !== 'string') return
  for (const [client, { place, places, standardPlace }] of Object.entries(databaseClients)) {
    if (value === client) {
      if (place === undefined || standardPlace === undefined)
        expansion.replace(['database'], { client }, [[['client'], []]])
      else expansion.replace(['database'], { client, [place]: standardPlace })
      return
    }
    if (place !== undefined && places?.test(value) === true) {
      expansion.replace(['database'], { client, [place]: value }, [[[place], []]])
      return
    }
  }
}

const KEYS = ['enabled', 'config', 'resolve']

function isFile(text: string): boolean {
  return /^\.{0,2}\//.test(text)
}

/** Leaves mistyped keys for the check of keys. */
function expandPluginSettings(expansion: Expansion): void {
  for (const [name, settings] of expansion.entries(['plugins'])) {
    if (typeof settings === 'string' && isFile(settings))
      expansion.replace(['plugins', name], { resolve: settings }, [[['resolve'], []]])
    if (!isRecord(settings)) continue
    const { config = {} } = settings
    const loose = Object.keys(settings).filter((key) => didYouMean(key, KEYS) === undefined)
    if (!isRecord(config) || loose.length === 0 || loose.some((key) => Object.hasOwn(config, key))) continue
    const kept = Object.entries(settings).filter(([key]) => !loose.includes(key) && key !== 'config')
    const moved = Object.fromEntries(loose.map((key) => [key, settings[key]]))
    expansion.replace(['plugins', name], { ...Object.fromEntries(kept), config: { ...config, ...moved } }, [
      [['config'], settings['config'] === undefined ? [] : ['config']],
      ...loose.map((key): [string[], string[]] => [['config', key], [key]]),
    ])
  }
}

/** Common names of attribute types from other systems. */
export const coreWords: PluginShorthands = {
  attributeAliases: {
    int: { description: 'A whole number.', attribute: { type: 'integer' } },
    number: { description: 'A number, perhaps with a fraction.', attribute: { type: 'float' } },
    money: { description: 'An amount, kept to the digit.', attribute: { type: 'decimal' } },
    bool: { description: 'True or false.', attribute: { type: 'boolean' } },
    markdown: { description: 'Text with Markdown.', attribute: { type: 'richtext' } },
    slug: {
      description: 'Unique text for URLs, made from `from`, else from `title` or `name`.',
      attribute: { type: 'uid' },
    },
    enum: { description: 'One of the words in `values`.', attribute: { type: 'enumeration' } },
    url: {
      description: 'An address: http://, https://, mailto: or tel:, or a path that begins with a slash.',
      attribute: { type: 'string', regex: '^(https?://[^\\s/]\\S*|mailto:\\S+|tel:\\S+|/\\S*)$' },
    },
    phone: {
      description: 'A telephone number: digits, perhaps with +, spaces, hyphens, dots, slashes and brackets.',
      attribute: { type: 'string', regex: '^\\+?[0-9(][0-9 ()./-]{2,24}[0-9]$' },
    },
    color: {
      description: 'A colour as in CSS: #rgb, #rrggbb or #rrggbbaa.',
      attribute: { type: 'string', regex: '^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$' },
    },
  },
}
