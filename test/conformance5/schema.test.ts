// The generated GraphQL schema of the dialect beside the recorded one, field by field: equal but for what is explained.

import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildSchema } from 'graphql'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { checkConfig, isValid } from '../../src/app/check-config.ts'
import { readSchemaDefinition } from '../../src/app/try-in-memory.ts'
import { recorded as recorded4 } from '../conformance/recorded-case.ts'
import {
  aggregates,
  caseless,
  nested,
  paths,
  schemaLines,
  unexplained,
  withoutOwnArguments,
} from '../conformance/schema-lines.ts'
import { dialectOf, strapi5 } from './strapi-5.ts'

const { recorded } = strapi5

/** Lines of the recorded schema that ours lacks, and why. */
const left: readonly (readonly [RegExp, string])[] = [
  [/ReviewWorkflows/, 'review workflows belong to the administration, which is not here'],
  [/^type \w+\.(?:pin|pass|a_password): String$/, 'a password is answered by no door'],
  [/^input \w+FiltersInput\.(?:pin|pass|a_password): /, 'passwords stand in no filter'],
  [/^union GenericMorph \| I18NLocale$/, 'a locale is text of the file, not an entry'],
]

test.each([
  ['without options', {}, join(recorded, 'schema.graphql'), left],
  [
    'with v4CompatibilityMode',
    { v4CompatibilityMode: true },
    join(recorded, 'variants/schema-gql-v4compat.graphql'),
    [
      ...left,
      [/^type I18NLocale\w*\.(?:id|data|attributes|meta): /, 'locales are new to clients of Strapi 4 there'],
    ] as typeof left,
  ],
])('%s it equals the recorded one but for what is explained', async (_, options, file, reasons) => {
  const own4 = parse(await readFile(join(recorded4, 'cms.yaml'), 'utf8')) as Record<string, unknown>
  const own = dialectOf(own4) as { plugins: { graphql?: { config?: object } } }
  own.plugins.graphql = { ...own.plugins.graphql, config: { ...own.plugins.graphql?.config, ...options } }
  const checked = await checkConfig({ object: own, directory: recorded4 }, { env: {} })
  if (!isValid(checked))
    throw new Error(`the recorded configuration is not right: ${JSON.stringify(checked.diagnostics)}`)
  const made = await readSchemaDefinition(checked)
  if ('diagnostics' in made || made.definition === undefined) throw new Error('no schema')
  const ours = new Set(withoutOwnArguments(schemaLines(buildSchema(made.definition))))
  const theirs = new Set(schemaLines(buildSchema(readFileSync(file, 'utf8'))))
  expect(unexplained(theirs, ours, reasons)).toEqual([])
  expect(unexplained(ours, theirs, [caseless, aggregates, nested, paths])).toEqual([])
  expect(theirs.size).toBeGreaterThan(1500)
})
