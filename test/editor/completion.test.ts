// What an editor offers and shows for a file, by the schema in the package.

import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LanguageServer, startLanguageServer } from './language-server.ts'

let editor: LanguageServer
beforeAll(async () => {
  editor = await startLanguageServer(join(import.meta.dirname, '../../schemas/cms.schema.json'))
})
afterAll(() => editor.close())

const inType = (lines: string): string => `contentTypes:\n  article:\n${lines}`
const attribute = (value: string): string => inType(`    attributes:\n      title: ${value}\n`)

describe('completion', () => {
  test.each([
    ['sections', '|', ['contentTypes', 'singleTypes', 'components', 'server', 'auth', 'data']],
    ['keys of a section', 'server:\n  |\n', ['host', 'port', 'cors']],
    ['values', 'database:\n  client: |\n', ['memory', 'sqlite', 'postgres']],
    ['plugins', 'plugins:\n  |\n', ['graphql', 'i18n', 'users-permissions']],
    [
      'keys of a content-type that is begun',
      inType('    |\n'),
      ['kind', 'attributes', 'drafts', 'localized'],
    ],
    [
      'keys beside others',
      inType('    attributes: { a: string }\n    |\n'),
      ['kind', 'options', 'unique', 'index'],
    ],
    ['keys beside bare attributes', inType('    title: string\n    |\n'), ['drafts', 'localized', 'unique']],
    ['types', attribute('|'), ['string', 'string!', 'int', 'slug', 'image', 'money', 'markdown', 'text!']],
    ['types of bare attributes', inType('    title: |\n'), ['string!', 'slug', 'image']],
    [
      'keys of an attribute',
      attribute('\n        type: string\n        |'),
      ['required', 'unique', 'maxLength', 'computed', 'readOnly'],
    ],
    ['keys in brackets', attribute('{ type: string, re| }'), ['required', 'regex', 'readOnly']],
  ])('offers %s', async (_what, text, labels) => {
    expect(await editor.complete(text)).toEqual(expect.arrayContaining(labels))
  })
})

describe('hover', () => {
  test.each([
    ['a section', 'server:\n  po|rt: 3000\n', /Port to listen on/],
    ['a key of a content-type', inType('    att|ributes: { title: string }\n'), /The attributes, by name/],
    [
      'a key of an attribute',
      attribute('{ type: string, uni|que: true }'),
      /two entries may not have the same value/,
    ],
    ['a type', attribute('str|ing'), /An attribute: the name of its type/],
    ['a key that is short for others', inType('    dra|fts: true\n    title: string\n'), /draft/i],
  ])('describes %s', async (_what, text, description) => {
    expect(await editor.hover(text)).toMatch(description)
  })
})

describe('faults', () => {
  test('shorthands have none', async () => {
    expect(
      await editor.faults(
        inType('    drafts: true\n    title: string!\n    size: [S, M]\n    author: user\n'),
      ),
    ).toEqual([])
  })

  test.each([
    ['an unknown key', attribute('{ type: string, requird: true }'), /requird/],
    ['a wrong type', 'server:\n  port: soon\n', /Incorrect type/],
  ])('%s is underlined', async (_what, text, message) => {
    expect((await editor.faults(text)).join('\n')).toMatch(message)
  })
})
