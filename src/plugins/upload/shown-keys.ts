// Tells whether the entry of a file shows what is stored under a key, as the file itself or as one of its formats.

import type { Content } from '../../content/content.ts'
import type { ContentType } from '../../model/content-type.ts'
import { keysOf } from './file-data.ts'

export async function isShown(key: string, content: Content, fileType: ContentType): Promise<boolean> {
  const files = await content.findAll(fileType, {
    filters: { hash: { $in: hashesFor(key) } },
    fields: ['hash', 'ext', 'formats'],
  })
  return files.some((file) => keysOf(file).includes(key))
}

/** `small_a_1b.tar.gz` -> all that its hash may be: a prefix may be that of a format, an ending more than one. */
function hashesFor(key: string): readonly string[] {
  const names = [key]
  for (let dot = key.lastIndexOf('.'); dot > 0; dot = key.lastIndexOf('.', dot - 1))
    names.push(key.slice(0, dot))
  const hashes = names.flatMap((name) => {
    const parts = name.split('_')
    return parts.map((_, index) => parts.slice(index).join('_'))
  })
  return [...new Set(hashes)].slice(0, MAX_HASHES)
}

/** What a filter takes; a key of 255 characters that has more is one that no upload makes. */
const MAX_HASHES = 1000
