// The English plural of a content-type's name, by the regular rules: what `info.pluralName` is when nobody says.

/** `category` -> `categories`, `dish` -> `dishes`, `daily-special` -> `daily-specials`; irregular words become regular. */
export function pluralOf(name: string): string {
  if (/[^aeiou-]y$/.test(name)) return `${name.slice(0, -1)}ies`
  if (/[aeiou]z$/.test(name)) return `${name}zes`
  if (/(?:s|x|z|ch|sh)$/.test(name)) return `${name}es`
  return `${name}s`
}
