// Every text of the interface has a German translation, with the same values in it.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { german } from '../../../src/console/browser/messages/de.ts'

const folder = join(import.meta.dirname, '../../../src/console/browser')
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (name) => /\.tsx?$/.test(name) && !name.startsWith('messages'),
)

const TEXT = String.raw`'((?:[^'\\]|\\.)*)'`
const SAY = new RegExp(String.raw`\bsay\(\s*${TEXT}`, 'g')
const COUNT = new RegExp(String.raw`\bsayCount\(\s*[^,']+,\s*${TEXT},\s*${TEXT}`, 'g')
const readEscapes = (text: string): string => text.replaceAll(/\\(.)/g, '$1')

function listTexts(): ReadonlySet<string> {
  const texts = new Set<string>()
  for (const name of sources) {
    const source = readFileSync(join(folder, name), 'utf8')
    for (const [, text = ''] of source.matchAll(SAY)) texts.add(readEscapes(text))
    for (const [, one = '', other = ''] of source.matchAll(COUNT)) {
      texts.add(readEscapes(one))
      texts.add(readEscapes(other))
    }
  }
  return texts
}

test('every call names its text itself', () => {
  for (const name of sources) {
    const source = readFileSync(join(folder, name), 'utf8')
    const calls = [...source.matchAll(/\bsay(Count)?\(/g)].length
    const texts = [...source.matchAll(SAY), ...source.matchAll(COUNT)].length
    expect([name, texts]).toEqual([name, calls])
  }
})

test('each text is translated, and nothing else is', () => {
  const texts = listTexts()
  expect(texts.size).toBeGreaterThan(0)
  expect([...texts].filter((text) => german[text] === undefined)).toEqual([])
  expect(Object.keys(german).filter((text) => !texts.has(text))).toEqual([])
})

test('a translation has the values of its text', () => {
  const listValues = (text: string): readonly string[] => (text.match(/\{\w+\}/g) ?? []).toSorted()
  for (const [text, translated] of Object.entries(german)) {
    expect(translated.trim()).not.toBe('')
    expect([text, listValues(translated)]).toEqual([text, listValues(text)])
  }
})
