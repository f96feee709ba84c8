// Names of attribute types for files.

import type { PluginShorthands } from '../../config/shorthand/shorthand.ts'

const images = ['images']

export const fileAliases: NonNullable<PluginShorthands['attributeAliases']> = {
  image: { description: 'One image.', attribute: { type: 'media', allowedTypes: images } },
  images: {
    description: 'Several images.',
    attribute: { type: 'media', multiple: true, allowedTypes: images },
  },
  file: { description: 'One file of any kind.', attribute: { type: 'media' } },
  files: { description: 'Several files of any kind.', attribute: { type: 'media', multiple: true } },
}
