// Entries as `data:` of the file, to be pasted into it.

import { asAuthorText } from '../config/author-text.ts'
import { writeYaml } from '../config/yaml/write-yaml.ts'
import { ApiError } from '../errors/api-error.ts'
import type { LiveApp } from './console-parts.ts'

/** `entries`: attribute values by name, as the API answered them. */
export function dataText(
  { model }: LiveApp,
  { type: uid, entries }: Readonly<Record<string, unknown>>,
): { readonly text: string } {
  const type = typeof uid === 'string' ? model.contentTypes.get(uid) : undefined
  if (type === undefined || !Array.isArray(entries))
    throw new ApiError('ValidationError', 'type must be the uid of a content-type, and entries a list')
  return { text: writeYaml(asAuthorText({ data: { [type.sourceKey ?? type.uid]: entries } })) }
}
