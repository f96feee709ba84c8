// A value -> YAML that `parse-yaml` reads as the same value.

import { Document, isScalar, Scalar, visit } from 'yaml'

/** The text of a file, for those who go on writing it by hand. Texts are escaped before: see `author-text.ts`. */
export function writeYaml(value: unknown, lineWidth = 110): string {
  const document = new Document(value, {
    aliasDuplicateObjects: false,
    version: '1.2',
    schema: 'core',
  })
  visit(document, {
    Scalar(_, node) {
      // As a block, a text of nothing but spaces and line breaks would lose its spaces.
      if (typeof node.value === 'string' && node.value.includes('\n') && node.value.trim() === '')
        node.type = Scalar.QUOTE_DOUBLE
    },
    Pair(_, { key }) {
      // Plain, it would be read as a merge key.
      if (isScalar(key) && key.value === '<<') key.type = Scalar.QUOTE_DOUBLE
    },
  })
  return document.toString({ lineWidth })
}
