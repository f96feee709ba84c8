// Rewrites a configuration's text for another API version and leaves every other character as it is, comments
// included.

import { isMap, isScalar, type Node, parseDocument, type Scalar, visit, type YAMLSeq } from 'yaml'
import type { ApiVersion } from './config.ts'

interface RewrittenText {
  readonly text: string
  readonly dropped: readonly string[]
}

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * `drops`: items of lists that the API version does not support. Returns undefined if the text is not a YAML
 * or JSON map.
 */
export function setApiVersion(
  text: string,
  apiVersion: ApiVersion,
  drops: (word: string) => boolean,
): RewrittenText | undefined {
  const document = parseDocument(text, { keepSourceTokens: false })
  const { contents } = document
  if (document.errors.length > 0 || !isMap(contents)) return undefined
  const edits: Edit[] = [keyEdit(text, contents, apiVersion)]
  const dropped: string[] = []
  visit(document, {
    Seq(_key, seq) {
      const gone = seq.items.filter((item): item is Scalar<string> => isWord(item) && drops(item.value))
      if (gone.length === 0) return undefined
      dropped.push(...gone.map(({ value }) => value))
      if (gone.length === seq.items.length) edits.push({ ...listRange(seq), text: '[]' })
      else
        edits.push(...gone.map((item) => (seq.flow === true ? flowEdit(seq, item) : blockEdit(text, item))))
      return undefined
    },
  })
  let rewritten = text
  for (const { start, end, text: by } of edits.sort((a, b) => b.start - a.start))
    rewritten = rewritten.slice(0, start) + by + rewritten.slice(end)
  return { text: rewritten, dropped }
}

function keyEdit(text: string, map: Node, apiVersion: ApiVersion): Edit {
  if (!isMap(map)) return { start: 0, end: 0, text: '' }
  const pair = map.items.find(({ key }) => isScalar(key) && key.value === 'dialect')
  const { start } = getRange(map)
  if (pair !== undefined && isScalar(pair.value)) return { ...getRange(pair.value), text: apiVersion }
  if (map.flow !== true) return { start, end: start, text: `dialect: ${apiVersion}\n` }
  const inJson = text[start] === '{' && /^\{\s*"/.test(text.slice(start))
  const written = inJson ? `"dialect": "${apiVersion}"` : `dialect: ${apiVersion}`
  const [indent = ' '] = /^\s*/.exec(text.slice(start + 1)) ?? []
  return { start: start + 1, end: start + 1, text: `${indent}${written}${map.items.length > 0 ? ',' : ''}` }
}

function isWord(item: unknown): item is Scalar<string> {
  return isScalar(item) && typeof item.value === 'string'
}

function getRange(node: Node): { readonly start: number; readonly end: number } {
  const [start, end] = node.range ?? [0, 0, 0]
  return { start, end }
}

/** A block list ends with its last word, not with the line. */
function listRange(seq: YAMLSeq): { readonly start: number; readonly end: number } {
  const last = seq.items.at(-1) as Node | undefined
  return last === undefined || seq.flow === true
    ? getRange(seq)
    : { ...getRange(seq), end: getRange(last).end }
}

function blockEdit(text: string, item: Node): Edit {
  const { start, end } = getRange(item)
  const next = text.indexOf('\n', end)
  return { start: text.lastIndexOf('\n', start) + 1, end: next === -1 ? text.length : next + 1, text: '' }
}

function flowEdit({ items }: YAMLSeq, item: Node): Edit {
  const index = items.indexOf(item)
  const [before, after] = [items[index - 1] as Node | undefined, items[index + 1] as Node | undefined]
  const { start, end } = getRange(item)
  if (before !== undefined) return { start: getRange(before).end, end, text: '' }
  return { start, end: after === undefined ? end : getRange(after).start, text: '' }
}
