// Derives singular and plural names of a content-type from its key, with `pluralize` like Strapi.

import pluralize from 'pluralize'
import type { RawContentType } from './raw-config.ts'

interface Names {
  readonly singularName: string
  readonly pluralName: string
}

// Otherwise these words would count as plurals of "len", "canva" and "bia".
for (const word of ['lens', 'canvas', 'bias']) pluralize.addIrregularRule(word, `${word}es`)

/** `category` -> `categories`, `person` -> `people`, `daily-special` -> `daily-specials`, `news` -> `news`. */
export function getPlural(name: string): string {
  return ofLastWord(name, pluralize.plural)
}

/** `variants` -> `variant`; abbreviations (`cms`, `gps`) stay. */
export function getSingular(name: string): string {
  return ofLastWord(name, (word) => (word.length > 3 ? pluralize.singular(word) : word))
}

/**
 * A word without a plural becomes the plural name (`news-item`, `news`): the names must differ, because both
 * are fields in GraphQL. A single type keeps its key as singular name.
 */
export function listTypeNames(
  name: string,
  { kind, info = {} }: Pick<RawContentType, 'kind' | 'info'>,
): Names {
  const { singularName = name, pluralName } = info
  if (pluralName !== undefined) return { singularName, pluralName }
  const plural = getPlural(singularName)
  if (plural !== singularName) return { singularName, pluralName: plural }
  if (kind === 'singleType' || info['singularName'] !== undefined) {
    return { singularName, pluralName: `${plural}-items` }
  }
  const singular = getSingular(name)
  return { singularName: singular === name ? `${name}-item` : singular, pluralName: name }
}

function ofLastWord(name: string, change: (word: string) => string): string {
  const start = name.lastIndexOf('-') + 1
  return name.slice(0, start) + change(name.slice(start))
}
