// Each shorthand means the same as its full form: print-config shows no difference.

import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadConfig } from '../../../../src/config/load-config.ts'
import { printConfig } from '../../../../src/config/print-config.ts'

async function printed(yaml: string): Promise<string> {
  const { config, secrets, diagnostics } = await loadConfig({ object: parse(yaml) }, { env: {} })
  expect(diagnostics, yaml).toEqual([])
  return config === undefined ? '' : printConfig(config, secrets, 'yaml')
}

const table: readonly (readonly [short: string, full: string])[] = [
  [
    'contentTypes: { article: { title: string } }',
    'contentTypes: { article: { attributes: { title: string } } }',
  ],
  // Keys of a content-type are attributes where their value is an attribute's.
  [
    'contentTypes: { article: { kind: string, index: integer, attributes: text, localized: boolean } }',
    'contentTypes: { article: { attributes: { kind: string, index: integer, attributes: text, localized: boolean } } }',
  ],
  [
    'contentTypes: { article: { title: string } }\ncomponents: { shared.seo: { title: string } }',
    'contentTypes: { article: { attributes: { title: string } } }\ncomponents: { shared.seo: { attributes: { title: string } } }',
  ],
]

test.each(table)('%s', async (short, full) => {
  expect(await printed(short)).toBe(await printed(full))
})
