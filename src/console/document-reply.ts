// Serves the documentation of this package: its index and its whole text for language models, and each page.

import type { Reply } from '../http/reply.ts'
import { listDocuments, readDocument } from '../lib/package-documents.ts'
import { writeIndex, writeWholeText } from './documentation.ts'
import { CONSOLE_HEADERS } from './page.ts'

export const INDEX = '/llms.txt'
const WHOLE_TEXT = '/llms-full.txt'
/** Paths below it are those of the package, so that links from page to page lead somewhere. */
const PACKAGE = '/_console/package/'

/** Undefined for a path that is not one of a document. */
export function buildDocumentReply(path: string): Reply | undefined {
  if (path === INDEX) return reply('text/plain', writeIndex(PACKAGE))
  if (path === WHOLE_TEXT) return reply('text/plain', writeWholeText())
  const name = path.startsWith(PACKAGE) ? path.slice(PACKAGE.length) : ''
  if (!listDocuments().includes(name)) return undefined
  return reply(name.endsWith('.json') ? 'application/json' : 'text/markdown', readDocument(name))
}

export function isDocument(path: string): boolean {
  return path === INDEX || path === WHOLE_TEXT || path.startsWith(PACKAGE)
}

function reply(contentType: string, body: string): Reply {
  const headers = { ...CONSOLE_HEADERS, 'cache-control': 'no-cache' }
  return { status: 200, contentType: `${contentType}; charset=utf-8`, headers, body }
}
