// The types that custom fields of plugins store. A project's folder names only the field; an export has its type.

import type { Json } from './strapi-source.ts'

/** By words in the name `plugin::<plugin>.<field>`; the first that fits. */
const TYPES: readonly (readonly [RegExp, string])[] = [
  [/checkbox|boolean|toggle/i, 'boolean'],
  [/tagsinput/i, 'text'],
  [/multi-?select|key-?value|oembed|map|location|geo|coordinates|tagger|tags|json|blocks-editor/i, 'json'],
  [/ckeditor|editor-?js|tiptap|tinymce|markdown|rich-?text|wysiwyg|quill|editor/i, 'richtext'],
  [/color|colour|uuid|icon|permalink|slug|country|phone|url|select|enum/i, 'string'],
]

/** Types that take no limits on texts and no list of values; such options configure the field in the admin panel. */
const PLAIN_TYPES: ReadonlySet<string> = new Set(['json', 'boolean'])

const PLAIN_OPTIONS: ReadonlySet<string> = new Set([
  'required',
  'private',
  'configurable',
  'writable',
  'visible',
  'default',
  'pluginOptions',
])

interface StoredField {
  readonly type: string
  /** How the type is known, for a note. */
  readonly reason: string
}

/** `registered`: types by name, of the fields that the project's own code registers. */
export function findStoredType(customField: string, registered: ReadonlyMap<string, string>): StoredField {
  const own = registered.get(customField)
  if (own !== undefined) return { type: own, reason: 'as the code of the project registers it' }
  const found = TYPES.find(([words]) => words.test(customField))?.[1]
  return found === undefined
    ? { type: 'string', reason: 'correct it if the plugin stores something else' }
    : { type: found, reason: 'by its name; correct it if the plugin stores something else' }
}

export function keepOptions(type: string, attribute: Json): Json {
  if (!PLAIN_TYPES.has(type)) return attribute
  return Object.fromEntries(Object.entries(attribute).filter(([key]) => PLAIN_OPTIONS.has(key)))
}
