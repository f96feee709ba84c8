// Opens ProseMirror on a document of blocks, with keys and Markdown input.

import { baseKeymap, chainCommands, exitCode, toggleMark } from 'prosemirror-commands'
import { history, redo, undo } from 'prosemirror-history'
import { InputRule, inputRules } from 'prosemirror-inputrules'
import { keymap } from 'prosemirror-keymap'
import type { Node } from 'prosemirror-model'
import { type Command, EditorState, type Plugin } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import { say } from '../messages.ts'
import {
  applyKind,
  endCode,
  endList,
  type Kind,
  moveBlock,
  nestItem,
  newLine,
  plainAtStart,
  setKind,
  unnestItem,
} from './commands.ts'
import { getUnknownType, schema } from './schema.ts'

const { marks, nodes } = schema

const headingKeys = Object.fromEntries(
  [1, 2, 3, 4, 5, 6].map((level): [string, Command] => [
    `Mod-Alt-${level}`,
    setKind(`heading-${level}` as Kind),
  ]),
)

/** Tab is not bound: it leaves the editor, as it leaves every field. */
const keys: Readonly<Record<string, Command>> = {
  ...headingKeys,
  'Mod-Alt-0': setKind('paragraph'),
  'Mod-b': toggleMark(marks.bold),
  'Mod-i': toggleMark(marks.italic),
  'Mod-u': toggleMark(marks.underline),
  'Mod-Shift-x': toggleMark(marks.strikethrough),
  'Mod-e': toggleMark(marks.code),
  'Mod-z': undo,
  'Mod-y': redo,
  'Mod-Shift-z': redo,
  'Mod-]': nestItem,
  'Mod-[': unnestItem,
  'Alt-ArrowUp': moveBlock(-1),
  'Alt-ArrowDown': moveBlock(1),
  'Shift-Enter': newLine,
  'Mod-Enter': exitCode,
  Enter: chainCommands(endList, endCode),
  Backspace: plainAtStart,
}

/** Maps the text that begins a paragraph to the kind it becomes. */
const BEGINNINGS: readonly (readonly [RegExp, (match: RegExpMatchArray) => Kind])[] = [
  [/^(#{1,6}) $/, (match) => `heading-${match[1]?.length ?? 1}` as Kind],
  [/^> $/, () => 'quote'],
  [/^[-*] $/, () => 'unordered'],
  [/^1\. $/, () => 'ordered'],
  [/^```$/, () => 'code'],
]

function beginnings(): Plugin {
  return inputRules({
    rules: BEGINNINGS.map(
      ([pattern, getKind]) =>
        new InputRule(pattern, (state, match, start, end) =>
          state.selection.$from.parent.type === nodes.paragraph
            ? applyKind(state.tr.delete(start, end), getKind(match))
            : null,
        ),
    ),
  })
}

function element(tag: string, attributes: Readonly<Record<string, string>>, text = ''): HTMLElement {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.textContent = text
  return made
}

/** Shows images of this server only, so that the page contacts no other host. */
function imageView({ attrs }: Node): { dom: HTMLElement } {
  const { url, name, alternativeText } = attrs['image'] as Readonly<Record<string, unknown>>
  const label = String(alternativeText || name || say('image'))
  const dom = element('figure', {})
  if (typeof url === 'string' && /^\/(?!\/)/.test(url))
    dom.append(element('img', { src: url, alt: label }), element('figcaption', {}, label))
  else
    dom.append(
      element(
        'figcaption',
        {},
        say('{label} ({url}: not shown, it is on another host)', { label, url: String(url) }),
      ),
    )
  return { dom }
}

/** What the editor does not know stands in the language of the person. */
function unknownView({ attrs }: Node): { dom: HTMLElement } {
  const name = getUnknownType(attrs['node']) ?? say('unknown')
  return { dom: element('span', { class: 'unknown' }, say('{name} (kept as it is)', { name })) }
}

function unknownItemView(node: Node): { dom: HTMLElement } {
  const dom = element('li', {})
  dom.append(unknownView(node).dom)
  return { dom }
}

/** A heading within a field must not appear among the page's headings. */
function headingView({ attrs }: Node): { dom: HTMLElement; contentDOM: HTMLElement } {
  const dom = element('p', { class: 'heading', 'data-level': String(attrs['level']) })
  return { dom, contentDOM: dom }
}

/** Strapi nests lists directly in lists, while HTML allows only items. */
function listView({ attrs }: Node): { dom: HTMLElement; contentDOM: HTMLElement } {
  const dom = element('div', { class: 'list', role: 'group', 'data-format': String(attrs['format']) })
  return { dom, contentDOM: dom }
}

function itemView(): { dom: HTMLElement; contentDOM: HTMLElement } {
  const dom = element('div', { class: 'item' })
  return { dom, contentDOM: dom }
}

export function createState(doc: Node): EditorState {
  return EditorState.create({
    doc,
    plugins: [beginnings(), history(), keymap(keys), keymap(baseKeymap)],
  })
}

export interface EditorOptions {
  readonly doc: Node
  readonly attributes: Readonly<Record<string, string>>
  onChange(state: EditorState, edited: boolean): void
  onLink(): void
}

export function openEditor(parent: HTMLElement, options: EditorOptions): EditorView {
  const view: EditorView = new EditorView(parent, {
    state: createState(options.doc),
    attributes: { ...options.attributes },
    nodeViews: {
      image: imageView,
      heading: headingView,
      list: listView,
      list_item: itemView,
      unknown_block: unknownView,
      unknown_inline: unknownView,
      unknown_item: unknownItemView,
    },
    handleKeyDown(_view, event) {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return false
      options.onLink()
      return true
    },
    dispatchTransaction(transaction) {
      const next = view.state.apply(transaction)
      view.updateState(next)
      options.onChange(next, transaction.docChanged)
    },
  })
  return view
}
