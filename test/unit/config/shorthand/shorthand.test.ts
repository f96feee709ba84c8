// Each shorthand means the same as its full form: print-config shows no difference.

import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { attributes, files, relations, sections } from './forms.ts'
import { attributesOf, printed } from './printed.ts'

const others = {
  author: { attributes: { name: 'string' } },
  'api::forum.post': { attributes: { title: 'string' } },
  categories: { attributes: { name: 'string' } },
}
const components = {
  'shared.seo': { attributes: { title: 'string' } },
  'page.hero': { attributes: { title: 'string' } },
}

test.each(attributes)('%s', async (short, full) => {
  const whole = (attribute: unknown) => ({
    contentTypes: { ...others, article: { attributes: { title: 'string', other: 'string', it: attribute } } },
    components,
  })
  expect(await printed(whole(parse(short)))).toBe(await printed(whole(parse(full))))
})

test.each(files)('%s', async (_, short, full) => {
  expect(await printed(parse(short))).toBe(await printed(parse(full)))
})

test.each(relations)('relations: %s', async (_, short, expected) => {
  const found = await attributesOf(parse(`contentTypes: { ${short} }`))
  const shown = Object.entries(found).flatMap(([name, { type, relation, inversedBy, mappedBy }]) => {
    if (type !== 'relation') return []
    const other = inversedBy === undefined ? mappedBy && ` mappedBy ${mappedBy}` : ` inversedBy ${inversedBy}`
    return [[name, `${relation}${other ?? ''}`]]
  })
  expect(Object.fromEntries(shown)).toEqual(expected)
})

test('the order of the content-types does not change who owns a relation', async () => {
  const one = await attributesOf(parse('contentTypes: { a: { bs: [b] }, b: { as: [a] } }'))
  const two = await attributesOf(parse('contentTypes: { b: { as: [a] }, a: { bs: [b] } }'))
  expect(one['a.bs']).toEqual(two['a.bs'])
})

test.each(sections)('%s', async (short, full) => {
  const types = 'contentTypes: { a: { attributes: { b: string, user: user } } }\n'
  expect(await printed(parse(types + short))).toBe(await printed(parse(types + full)))
})
