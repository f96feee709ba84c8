// The names that the core adds to Strapi's.

import type { PluginShorthands } from './shorthand.ts'

/** Attribute types by the names that people try first. */
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
