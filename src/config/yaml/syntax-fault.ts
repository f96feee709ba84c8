// Turns the YAML parser's first error into a plain diagnostic at the probable position of the mistake.

import { type Document, isCollection, isScalar, visit, type YAMLError } from 'yaml'
import type { Diagnostic } from '../../lib/errors/diagnostic.ts'
import { guessSecrets } from '../secret-paths.ts'
import { findKeyWithoutColon, findOddIndent, type Line } from './odd-indent.ts'
import { deepest } from './yaml-value.ts'

type Range = readonly [start: number, end: number]

interface Words {
  readonly code?: string
  readonly message: string
  readonly help?: string
  readonly range?: Range | undefined
}

/** The parser ran out of stack, so no part of the file can be read. */
export const tooDeep: Diagnostic = {
  code: 'CFG028',
  severity: 'error',
  path: [],
  message: 'the file is nested too deeply to be read',
}

/** Counts brackets, because the parser's position depends on the size of the stack. */
function bracketTooDeep(text: string): Pick<Diagnostic, 'range'> {
  let depth = 0
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
    if (depth > deepest) return { range: [index, index + 1] }
  }
  return {}
}

export function createSyntaxFault(error: YAMLError, document: Document.Parsed, text: string): Diagnostic {
  const range: Range = [Math.min(error.pos[0], text.length), Math.min(error.pos[1], text.length)]
  if (error.code === 'RESOURCE_EXHAUSTION') return { ...tooDeep, ...bracketTooDeep(text) }
  const { code = 'CFG020', range: place = range, ...words } = getWords(error, document, text, range)
  return { code, severity: 'error', path: [], range: place, ...words }
}

const TAB: Words = { code: 'CFG021', message: 'a tab indents this line', help: 'indent with spaces' }

function tabNear(text: string, offset: number): Range | undefined {
  const from = text.lastIndexOf('\n', text.lastIndexOf('\n', offset - 1) - 1) + 1
  const found = /^( +)\t\s*\S/m.exec(text.slice(from, text.indexOf('\n', lineEnd(text, offset) + 1)))
  if (found === null) return undefined
  const start = from + found.index + (found[1]?.length ?? 0)
  return start > lineEnd(text, lineEnd(text, offset) + 1) ? undefined : [start, start + 1]
}

function getWords(error: YAMLError, document: Document.Parsed, text: string, range: Range): Words {
  const line = text.slice(text.lastIndexOf('\n', range[0] - 1) + 1, range[0] + 1)
  if (/[{[,][^{}[\]"'$]*\$\{[^}"']*$/.test(line)) {
    return {
      message: `"\${" begins a map here`,
      help: `inside { } and [ ] an interpolation needs quotes: "\${NAME}"`,
      range: [range[0] - (text[range[0] - 1] === '$' ? 1 : 0), range[1]],
    }
  }
  const tab = tabNear(text, range[0])
  if (tab !== undefined) return { ...TAB, range: tab }
  switch (error.code) {
    case 'MULTIPLE_DOCS': {
      const help = 'keep one document: remove the line "---"'
      return { code: 'CFG025', message: 'the file holds several YAML documents', help }
    }
    case 'TAB_AS_INDENT':
      return TAB
    case 'BLOCK_AS_IMPLICIT_KEY':
    case 'MULTILINE_IMPLICIT_KEY': {
      const odd = findOddIndent(text)
      if (odd !== undefined) {
        const help =
          'begin it in the column of its neighbours, or give the value before it a line and a key of its own'
        return { message: 'this line is indented deeper than the line before it', help, range: getRange(odd) }
      }
      const bare = findKeyWithoutColon(text, range[0])
      if (bare !== undefined) return noColon(bare)
      return colonInText(text, range[0], /^.*?(?=\s+#|\s*$)/m)
    }
    case 'BLOCK_IN_FLOW':
      return colonInText(text, range[0], /^[^,{}[\]\n]*[^,{}[\]\s]/)
    case 'BAD_SCALAR_START':
      return { message: `a value cannot begin with ${quoted(text, range)}`, help: 'put the value in quotes' }
    case 'BAD_DQ_ESCAPE':
      return {
        message: `"${text.slice(range[0], range[0] + 2)}" is no escape sequence`,
        help: "write \\\\ for a backslash, or use single quotes: '…'",
        range: [range[0], range[0] + 2],
      }
    case 'MISSING_CHAR':
      return missingCharacter(error, document, text, range)
    case 'BAD_INDENT':
      return badIndent(document, text, range)
    case 'UNEXPECTED_TOKEN': {
      const odd = /[A-Za-z_$]/.test(text[range[0]] ?? '') ? findOddIndent(text) : undefined
      return odd === undefined ? unexpected(text, range) : inAnotherColumn(getRange(odd))
    }
    default:
      return { message: error.message.slice(0, 1).toLowerCase() + error.message.slice(1) }
  }
}

const MAX_SHOWN_LENGTH = 80

/** `title: Dune: a review` */
function colonInText(text: string, start: number, extent: RegExp): Words {
  const value = extent.exec(text.slice(start))?.[0] ?? ''
  const range: Range = [start, start + Math.max(1, value.length)]
  const message = `this text contains "${value.includes(': ') ? ': ' : ':'}" and needs quotes`
  const isSecret = guessSecrets(text).some(([from, to]) => from < range[1] && range[0] < to)
  if (isSecret || value === '' || value.length > MAX_SHOWN_LENGTH) return { message, range }
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start)
  const key = /([^\s,:{[-][^,:{[]*: *)$/.exec(before)?.[1] ?? ''
  const quotedValue = `write "${key}'${value.replaceAll("'", "''")}'"`
  const isMap = /^[a-z]\w*: +\S+$/.test(value)
  return { message, help: isMap ? `${quotedValue}, or "${key}{ ${value} }" for a map` : quotedValue, range }
}

function unexpected(text: string, range: Range): Words {
  const message = `unexpected ${quoted(text, range)}`
  if (/[}\]]/.test(text[range[0]] ?? '')) return { message, help: 'it closes nothing' }
  if (/["']/.test(text[range[0] - 1] ?? '')) {
    const help = "a single quote inside single quotes is written twice: 'it''s'"
    return { message: 'the value goes on after its closing quote', help }
  }
  const list = /\[[^[\]\n]*\]$/.exec(text.slice(Math.max(0, range[0] - 200), range[0]))?.[0]
  if (list !== undefined && text[range[0]] === '!') {
    return { message, help: `a list that must be given is { type: ${list}, required: true }` }
  }
  return { message, help: 'put a value with such characters in quotes' }
}

function missingCharacter(error: YAMLError, document: Document.Parsed, text: string, range: Range): Words {
  if (error.message.includes('quote')) {
    const start = unclosedQuote(document, text)
    const place: Range | undefined = start === undefined ? undefined : [start, lineEnd(text, start)]
    return { message: 'this text has no closing quote', range: place }
  }
  if (error.message.includes('map values')) {
    return { message: 'this key has no ":" after it', help: 'write "name: value"' }
  }
  return { message: `something is missing before ${quoted(text, range)}` }
}

function badIndent(document: Document.Parsed, text: string, [start]: Range): Words {
  const bracket = unclosedBracket(document, text, start)
  if (bracket !== undefined) {
    const closing = text[bracket] === '{' ? '}' : ']'
    return {
      message: `this "${text[bracket]}" is not closed`,
      help: `end it with "${closing}"; the lines in between are indented`,
      range: [bracket, bracket + 1],
    }
  }
  const first = start + (/^[ \t]*/.exec(text.slice(start))?.[0].length ?? 0)
  const bare = findKeyWithoutColon(text, first - 1)
  if (bare !== undefined && bare.line.column === getColumn(text, first)) return noColon(bare)
  const odd = findOddIndent(text)
  return inAnotherColumn(odd === undefined ? [first, lineEnd(text, first)] : getRange(odd))
}

function inAnotherColumn(range: Range): Words {
  return {
    message: 'this line begins in another column than its neighbours',
    help: 'the keys of one map, and the "-" of one list, stand in one column',
    range,
  }
}

function noColon({ key, line }: NonNullable<ReturnType<typeof findKeyWithoutColon>>): Words {
  return { message: 'this key has no ":" after it', help: `write "${key}:"`, range: getRange(line) }
}

function getRange({ start, end }: Line): Range {
  return [start, end]
}

function getColumn(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1)
}

function unclosedQuote(document: Document.Parsed, text: string): number | undefined {
  let last: number | undefined
  visit(document, {
    Scalar(_key, node) {
      const start = node.range?.[0]
      if (isScalar(node) && start !== undefined && /["']/.test(text[start] ?? '')) last = start
    },
  })
  return last
}

function unclosedBracket(document: Document.Parsed, text: string, offset: number): number | undefined {
  let innermost: number | undefined
  visit(document, {
    Collection(_key, node) {
      if (!isCollection(node) || !node.flow || !node.range) return
      const [start, end] = node.range
      // A pair within [ ] is a map without brackets of its own.
      if (text[start] !== '{' && text[start] !== '[') return
      const closing = text[start] === '{' ? '}' : ']'
      if (start < offset && text.slice(start, end).trimEnd().at(-1) !== closing) innermost = start
    },
  })
  return innermost
}

function quoted(text: string, [start]: Range): string {
  const character = String.fromCodePoint(text.codePointAt(start) ?? 0)
  return start >= text.length || character === '\n' ? 'end of the line' : JSON.stringify(character)
}

function lineEnd(text: string, start: number): number {
  const end = text.indexOf('\n', start)
  return start + text.slice(start, end === -1 ? text.length : end).trimEnd().length
}
