// The generated GraphQL schema beside the recorded one, field by field: equal but for what is explained here.

import { readFileSync } from 'node:fs'
import { buildSchema } from 'graphql'
import { expect, test } from 'vitest'
import { checkConfig, isValid } from '../../src/app/check-config.ts'
import { readSchemaDefinition } from '../../src/app/try-in-memory.ts'
import {
  aggregates,
  caseless,
  nested,
  paths,
  schemaLines,
  unexplained,
  versions,
  withoutOwnArguments,
} from './schema-lines.ts'

const folder = new URL('./recorded/', import.meta.url)

/** Lines of the recorded schema that ours lacks, and why. */
const left: readonly (readonly [RegExp, string])[] = [
  [
    /UploadFolder|^input UploadFile\w*\.folder/,
    'folders of files belong to the administration, which is not here',
  ],
  [/^type \w+\.(?:pin|pass|a_password): String$/, 'a password is answered by no door'],
  [/^union GenericMorph \| I18NLocale$/, 'a locale is text of the file, not an entry'],
  [
    /^input \w+FiltersInput\.(?:pin|pass|a_password|password|resetPasswordToken|confirmationToken|editor_notes|secret_note|internal_score|hidden|nickname|secret_friend|ssn|owner_code): /,
    'private attributes and passwords stand in no filter',
  ],
]

/** Lines of ours that the recorded schema lacks, and why. */
const added: readonly (readonly [RegExp, string])[] = [
  [
    /^input \w+(?<!Filters)Input\.(?:createdAt|updatedAt): DateTime$/,
    'the input of a content-type has all its fields: what the server keeps itself may be sent back, and stays',
  ],
  caseless,
  aggregates,
  nested,
  paths,
  versions,
]

test('equals the recorded one but for what is explained', async () => {
  const checked = await checkConfig({ file: new URL('cms.yaml', folder).pathname }, { env: {} })
  if (!isValid(checked)) throw new Error('the recorded configuration is not right')
  const made = await readSchemaDefinition(checked)
  if ('diagnostics' in made || made.definition === undefined) throw new Error('no schema')
  const ours = new Set(withoutOwnArguments(schemaLines(buildSchema(made.definition))))
  const recorded = new Set(schemaLines(buildSchema(readFileSync(new URL('schema.graphql', folder), 'utf8'))))
  expect(unexplained(recorded, ours, left)).toEqual([])
  expect(unexplained(ours, recorded, added)).toEqual([])
  expect(recorded.size).toBeGreaterThan(1500)
})
