// Writes a value as YAML that `parse-yaml` reads as the same value.

import { Document, isCollection, isScalar, Scalar, visit } from 'yaml'

export interface YamlComment {
  readonly path: readonly string[]
  readonly text: string
}

/** Texts must be escaped before (`author-text.ts`). */
export function writeYaml(value: unknown, lineWidth = 110, comments: readonly YamlComment[] = []): string {
  const document = createYamlDocument(value)
  for (const { path, text } of comments) {
    const node = document.getIn(path, true)
    const commented = path.length === 0 ? document : isCollection(node) ? node : undefined
    if (commented !== undefined) commented.comment = text.replace(/^/gm, ' ')
  }
  return document.toString({ lineWidth })
}

export function createYamlDocument(value: unknown): Document {
  const document = new Document(value, {
    aliasDuplicateObjects: false,
    version: '1.2',
    schema: 'core',
  })
  visit(document, {
    Scalar(_, node) {
      // In block style, a text of only spaces and line breaks would lose its spaces.
      if (typeof node.value === 'string' && node.value.includes('\n') && node.value.trim() === '')
        node.type = Scalar.QUOTE_DOUBLE
    },
    Pair(_, { key }) {
      // Without quotes, `<<` would be read as a merge key.
      if (isScalar(key) && key.value === '<<') key.type = Scalar.QUOTE_DOUBLE
    },
  })
  return document
}
