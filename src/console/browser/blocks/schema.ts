// Strapi's blocks as a ProseMirror schema. Unknown properties are kept in `kept`; unknown nodes can be moved
// and removed but not edited.

import { type MarkSpec, type NodeSpec, Schema } from 'prosemirror-model'

const kept = { kept: { default: {} } }
const unknown = { node: { default: null } }

/** The editor draws it with words. */
function unknownDom(node: unknown): [string, Record<string, string>, string] {
  return ['span', { class: 'unknown' }, getUnknownType(node) ?? '']
}

export function getUnknownType(node: unknown): string | undefined {
  const type = (node as { type?: unknown } | null)?.type
  return typeof type === 'string' ? type : undefined
}

function textBlock(tag: string, more: Partial<NodeSpec> = {}): NodeSpec {
  return {
    group: 'block',
    content: 'inline*',
    whitespace: 'pre',
    attrs: kept,
    parseDOM: [{ tag }],
    toDOM: () => [tag, 0],
    ...more,
  }
}

/** Marks of a text, each a property of Strapi's text nodes, with their HTML elements. */
export const STYLES = {
  bold: ['strong', 'b'],
  italic: ['em', 'i'],
  underline: ['u'],
  strikethrough: ['s', 'del'],
  code: ['code'],
} as const

export type Style = keyof typeof STYLES

function styleMark([tag, ...others]: readonly [string, ...string[]]): MarkSpec {
  return { parseDOM: [tag, ...others].map((one) => ({ tag: one })), toDOM: () => [tag, 0] }
}

export const schema = new Schema({
  nodes: {
    doc: { content: 'block+' },
    paragraph: textBlock('p'),
    heading: textBlock('h1', {
      attrs: { ...kept, level: { default: 1 } },
      parseDOM: [1, 2, 3, 4, 5, 6].map((level) => ({ tag: `h${level}`, attrs: { level } })),
      toDOM: ({ attrs }) => [`h${attrs['level']}`, 0],
      defining: true,
    }),
    quote: textBlock('blockquote', { defining: true }),
    code_block: textBlock('pre', {
      content: 'text*',
      marks: 'bold italic underline strikethrough code kept',
      code: true,
      defining: true,
      parseDOM: [{ tag: 'pre', preserveWhitespace: 'full' }],
    }),
    list: {
      group: 'block',
      content: '(list_item | list | unknown_item)+',
      attrs: { ...kept, format: { default: 'unordered' } },
      parseDOM: [{ tag: 'ul' }, { tag: 'ol', attrs: { format: 'ordered' } }],
      toDOM: ({ attrs }) => [attrs['format'] === 'ordered' ? 'ol' : 'ul', 0],
    },
    list_item: textBlock('li', { group: '', defining: true }),
    image: {
      group: 'block',
      attrs: { ...kept, image: { default: {} }, children: { default: [] } },
      draggable: true,
      toDOM: () => ['figure'],
    },
    unknown_block: { group: 'block', attrs: unknown, toDOM: ({ attrs }) => unknownDom(attrs['node']) },
    unknown_item: { attrs: unknown, toDOM: ({ attrs }) => ['li', unknownDom(attrs['node'])] },
    unknown_inline: {
      group: 'inline',
      inline: true,
      attrs: unknown,
      toDOM: ({ attrs }) => unknownDom(attrs['node']),
    },
    text: { group: 'inline' },
  },
  marks: {
    link: {
      attrs: { ...kept, url: { default: '' } },
      inclusive: false,
      parseDOM: [{ tag: 'a[href]', getAttrs: (element) => ({ url: element.getAttribute('href') ?? '' }) }],
      // A `u` instead of an `a`, so that clicks while editing do not follow the link.
      toDOM: ({ attrs }) => ['u', { class: 'link', title: String(attrs['url']) }, 0],
    },
    bold: styleMark(STYLES.bold),
    italic: styleMark(STYLES.italic),
    underline: styleMark(STYLES.underline),
    strikethrough: styleMark(STYLES.strikethrough),
    code: styleMark(STYLES.code),
    kept: { attrs: { properties: { default: {} } }, toDOM: () => ['span', 0] },
  },
})
