// Decodes a file's bytes to text without byte order mark, or reports why they are not YAML (YAML 1.2, 5.1 and 5.2).

import { isUtf8 } from 'node:buffer'
import type { Diagnostic } from '../../lib/errors/diagnostic.ts'

interface DecodedText {
  readonly text: string
  readonly fault: Diagnostic | undefined
}

// YAML's non-printable characters, and carriage returns without a line feed, on which editors and parsers disagree.
const NOT_PRINTABLE = /(?![\t\n\r\x85])\p{Cc}|[\ufeff\ufffe\uffff]|\r(?!\n)/u

/** Never throws. Returns a faulty text too, so that a report can show the line. */
export function decodeText(bytes: Uint8Array): DecodedText {
  if (isUtf16(bytes)) return { text: '', fault: utf16 }
  const text = new TextDecoder('utf-8').decode(bytes)
  const fault = isUtf8(bytes) ? findControlCharacter(text) : notUtf8(bytes, text)
  return { text, fault }
}

export function findControlCharacter(text: string): Diagnostic | undefined {
  const match = NOT_PRINTABLE.exec(text)
  if (match === null) return undefined
  const code = text.charCodeAt(match.index).toString(16).toUpperCase().padStart(4, '0')
  return {
    code: 'CFG003',
    severity: 'error',
    path: [],
    range: [match.index, match.index + 1],
    message: code === '000D' ? 'carriage return without a line feed' : `control character U+${code}`,
    help:
      code === '000D'
        ? 'end lines with LF or CRLF'
        : `remove it; inside double quotes it can be written as "\\u${code}"`,
  }
}

const utf16: Diagnostic = {
  code: 'CFG002',
  severity: 'error',
  path: [],
  message: 'the file is UTF-16',
  help: 'save the file as UTF-8',
}

function isUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
}

function notUtf8(bytes: Uint8Array, text: string): Diagnostic {
  const index = firstReplaced(bytes, text)
  return {
    code: 'CFG002',
    severity: 'error',
    path: [],
    range: [index, index + 1],
    message: 'this byte is not valid UTF-8',
    help: 'save the file as UTF-8',
  }
}

/**
 * Finds the first U+FFFD that decoding put in place of invalid bytes; one in the file itself has its own three bytes.
 */
function firstReplaced(bytes: Uint8Array, text: string): number {
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  let offset = start
  let from = 0
  for (let index = text.indexOf('\ufffd'); index !== -1; index = text.indexOf('\ufffd', index + 1)) {
    offset += Buffer.byteLength(text.slice(from, index))
    if (bytes[offset] !== 0xef || bytes[offset + 1] !== 0xbf || bytes[offset + 2] !== 0xbd) return index
    offset += 3
    from = index + 1
  }
  return 0
}
