// The singular and the plural name of a content-type, from the name it stands under in the file: what `info.singularName`
// and `info.pluralName` are when nobody says. By `pluralize`, as Strapi's admin panel makes them of a display name.

import pluralize from 'pluralize'
import type { RawContentType } from './raw-config.ts'

interface Names {
  readonly singularName: string
  readonly pluralName: string
}

// Taken for plurals of "len", "canva" and "bia" otherwise.
for (const word of ['lens', 'canvas', 'bias']) pluralize.addIrregularRule(word, `${word}es`)

/** `category` -> `categories`, `person` -> `people`, `daily-special` -> `daily-specials`, `news` -> `news`. */
export function pluralOf(name: string): string {
  return ofLastWord(name, pluralize.plural)
}

/**
 * What is given is taken as it is. `article` and `articles` are `article` and `articles`; a word that has no plural keeps
 * itself for many (`news-item`, `news`), since the two never are the same: both name fields of GraphQL. A single type is
 * served under its own name, whatever that is.
 */
export function namesOfType(name: string, { kind, info = {} }: Pick<RawContentType, 'kind' | 'info'>): Names {
  const { singularName = name, pluralName } = info
  if (pluralName !== undefined) return { singularName, pluralName }
  const plural = pluralOf(singularName)
  if (plural !== singularName) return { singularName, pluralName: plural }
  if (kind === 'singleType' || info['singularName'] !== undefined) {
    return { singularName, pluralName: `${plural}-items` }
  }
  // Letters that stand for words (`cms`, `gps`) have no singular of their own.
  const singular = ofLastWord(name, (word) => (word.length > 3 ? pluralize.singular(word) : word))
  return { singularName: singular === name ? `${name}-item` : singular, pluralName: name }
}

function ofLastWord(name: string, change: (word: string) => string): string {
  const start = name.lastIndexOf('-') + 1
  return name.slice(0, start) + change(name.slice(start))
}
