// Writes the index of the documentation and its whole text for language models (llmstxt.org).

import { listDocuments, readDocument } from '../lib/package-documents.ts'

const SKILL = 'skills/cms-run/SKILL.md'
/** By llmstxt.org, the section "Optional" may be skipped where a short text is needed. */
const SECTIONS: readonly (readonly [title: string, starts: string])[] = [
  ['Start', 'docs/tutorial/'],
  ['How-to', 'docs/how-to/'],
  ['Reference', 'docs/reference/'],
  ['Optional', 'docs/explanation/'],
]
const MIN_DESCRIPTION_LENGTH = 40

/** `base` is written before each path. */
export function writeIndex(base: string): string {
  const line = (path: string): string => describePage(path, base)
  const lines = SECTIONS.flatMap(([title, starts]) => {
    const first = title === 'Start' ? [SKILL] : []
    return ['', `## ${title}`, '', ...[...first, ...listPages(starts)].map(line)]
  })
  return `# cms-run

> One YAML file in, a live REST and GraphQL API out. The file declares content-types, components, permissions and data; the
> API is that of Strapi 4, or of Strapi 5.

\`cms-run validate --json\` reports every mistake of the file with its place and a code, \`cms-run plan --json\` what a start would
change in the database, \`cms-run test\` runs requests and compares their responses.
${lines.join('\n')}
`
}

export function writeWholeText(): string {
  const pages = [SKILL, 'README.md', ...SECTIONS.flatMap(([, starts]) => listPages(starts))]
  const texts = pages.map((path) => `<!-- ${path} -->\n\n${readDocument(path).trim()}\n`)
  return texts.join('\n')
}

function listPages(starts: string): readonly string[] {
  return listDocuments().filter((path) => path.startsWith(starts))
}

/** The title with its address, the first sentences, and for a page of reference its headings. */
function describePage(path: string, base: string): string {
  const text = readDocument(path).replace(/^---\n[\s\S]*?^---\n/m, '')
  const plain = text.replace(/<!--[\s\S]*?-->/g, '').replace(/^```[\s\S]*?^```/gm, '')
  const title = /^# (.+)$/m.exec(plain)?.[1] ?? path
  const headings = [...plain.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => withoutLinks(heading))
  const about =
    path.includes('/reference/') && headings.length > 0 ? ` Sections: ${headings.join('; ')}.` : ''
  return `- [${title}](${base}${path}): ${findFirstSentences(plain)}${about}`
}

/** Of the first paragraph of prose, or of the first item of a list. */
function findFirstSentences(plain: string): string {
  const [paragraph = ''] = plain
    .split(/\n\s*\n/)
    .map((text) => text.replace(/^(?:\n|- )+/, ''))
    .filter((text) => /^[\p{Lu}*`]/u.test(text))
    .map((text) => withoutLinks(text).replaceAll('**', '').replace(/\s+/g, ' ').trim().replace(/:$/, '.'))
  let found = ''
  for (const sentence of paragraph.match(/.+?[.?!](?= [\p{Lu}`]|$)/gu) ?? []) {
    if (found.length >= MIN_DESCRIPTION_LENGTH) break
    found += sentence
  }
  return found
}

function withoutLinks(text: string): string {
  return text.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
}
