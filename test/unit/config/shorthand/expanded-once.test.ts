// What is in the full form stays as it is, and what was expanded is in the full form.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { checkShape } from '../../../../src/config/shape/check-shape.ts'
import { expandShorthands } from '../../../../src/config/shorthand/expand-shorthands.ts'
import { parseYaml } from '../../../../src/config/yaml/parse-yaml.ts'
import { pluginShorthands } from '../../../../src/plugins/plugin-host.ts'
import { attributes, files, relations } from './forms.ts'
import { printed } from './printed.ts'

const root = join(import.meta.dirname, '../../..')
const ofFiles = ['config/good', 'api/configs'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.yaml'))
    .map((name): [string, string] => [name, readFileSync(join(root, folder, name), 'utf8')]),
)

function expand(value: unknown) {
  const copy: unknown = structuredClone(value)
  return expandShorthands(
    { value: copy, interpolated: [], secrets: new Set(), diagnostics: [] },
    pluginShorthands,
  )
}

test.each([...ofFiles, ...files.map(([what, short]): [string, string] => [what, short])])(
  '%s: the second time nothing changes',
  (_, text) => {
    const { value } = expand(parseYaml(text, 'cms.yaml').value)
    expect(expand(value).value).toEqual(value)
  },
)

test.each(files)('%s: what print-config shows is left as it is', async (_, short) => {
  const { contentTypes, components } = parse(await printed(parse(short)))
  const full = { contentTypes, components }
  expect(expand(full).value).toEqual(full)
})

const others = {
  author: { name: 'string' },
  'api::forum.post': { title: 'string' },
  categories: { name: 'string' },
  ...parse(`{ ${relations[0]?.[1]} }`),
}
const declared = { seo: { title: 'string' }, 'page.hero': { title: 'string' } }
const form = fc.constantFrom(...attributes.flat().map((text) => parse(text)))
const holder = fc.dictionary(fc.constantFrom('title', 'name', 'one', 'two', 'three'), form, {
  minKeys: 1,
  noNullPrototype: true,
})
const inline = fc.oneof(
  form,
  holder,
  fc.tuple(holder),
  holder.map((component) => ({ component })),
)
const type = fc.dictionary(fc.constantFrom('title', 'extra', 'other', 'deep', 'list'), inline, {
  minKeys: 1,
  noNullPrototype: true,
})

test('any forms together are the full form afterwards, which passes its check', () => {
  fc.assert(
    fc.property(type, type, fc.boolean(), (first, second, drafts) => {
      const { value, interpolated, names, diagnostics } = expand({
        contentTypes: { ...others, first, second: { drafts, localized: drafts, attributes: second } },
        components: declared,
      })
      const again = structuredClone(value)
      expect(diagnostics).toEqual([])
      expect(checkShape({ value, interpolated, names }).diagnostics).toEqual([])
      expect(expand(again).value).toEqual(again)
    }),
    { numRuns: 300 },
  )
})
