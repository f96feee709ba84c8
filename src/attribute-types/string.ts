// string, text and richtext: text that differs only in how an admin panel shows it.

import type { AttributeType } from './attribute-type.ts'
import { asStored, checkText, textConfig, textJson, wantedText } from './text.ts'

export const string: AttributeType = {
  config: textConfig,
  example: undefined,
  wanted: wantedText,
  bound: undefined,
  unique: 'possible',
  secret: false,
  slug: false,
  sluggable: true,
  check: checkText,
  cast: String,
  yupType: 'string',
  search: 'text',
  column: 'text',
  decode: asStored,
  toJson: textJson,
  graphql: 'String',
  jsonSchema: { type: 'string' },
  typeScript: { answered: 'string', taken: 'string' },
}

export const text: AttributeType = string

export const richtext: AttributeType = string
