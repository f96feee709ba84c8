// CodeMirror for a value of a form: JSON or Markdown.

import { closeBrackets } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { markdown } from '@codemirror/lang-markdown'
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorState, type Extension, type TransactionSpec } from '@codemirror/state'
import { placeholder as drawPlaceholder, EditorView, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { typeOver } from './type-over.ts'

export interface TextEditor {
  readonly content: HTMLElement
  text(): string
  /** Puts another text in, as after saving. */
  replace(text: string): void
  select(from: number, to: number): void
  /** Changes what is selected. */
  edit(change: (selected: string) => Edited): void
  /** Changes every line of the selection. */
  editLines(change: (line: string) => string): void
  close(): void
}

export interface Edited {
  readonly text: string
  /** The part of `text` to select. */
  readonly from: number
  readonly to: number
}

export interface TextEditorOptions {
  readonly parent: Element
  readonly text: string
  readonly language: 'json' | 'markdown'
  readonly id: string
  readonly label: string
  readonly placeholder: string | undefined
  readonly keys: Readonly<Record<string, () => void>>
  onText(text: string): void
}

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.link, tags.url], color: 'var(--link)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
  { tag: [tags.processingInstruction, tags.meta], color: 'var(--quiet)' },
  { tag: tags.heading, fontWeight: '700' },
  { tag: tags.strong, fontWeight: '700' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.monospace, fontFamily: 'var(--code)' },
])

const theme = EditorView.theme({
  '&': { maxHeight: '60vh', color: 'var(--text)', background: 'var(--raised)', borderRadius: '6px' },
  '.cm-scroller': { overflow: 'auto', minHeight: '7.5rem', lineHeight: '1.5' },
  '.cm-gutters': { background: 'var(--back)', color: 'var(--quiet)', border: '0' },
  '.cm-content': { caretColor: 'var(--text)', padding: '0.5rem 0' },
  '.cm-line': { padding: '0 0.75rem' },
  '&.cm-focused': { outline: '2px solid var(--link)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-placeholder': { color: 'var(--quiet)' },
})
const code = EditorView.theme({ '.cm-scroller': { fontFamily: 'var(--code)', fontSize: '0.88rem' } })
const prose = EditorView.theme({ '.cm-scroller': { fontFamily: 'inherit' } })

const LANGUAGES: Readonly<Record<TextEditorOptions['language'], () => Extension>> = {
  json: () => [json(), closeBrackets(), bracketMatching(), lineNumbers(), code],
  markdown: () => [markdown(), EditorView.lineWrapping, prose],
}

/** Tab is not bound: it leaves the editor, as it leaves every field. */
export function openTextEditor(options: TextEditorOptions): TextEditor {
  const { parent, text, language, id, label, placeholder, keys, onText } = options
  // Within a shadow root CodeMirror uses style objects, which the page's policy allows.
  const root = parent.shadowRoot ?? parent.attachShadow({ mode: 'open', delegatesFocus: true })
  let isReplacing = false
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        history(),
        LANGUAGES[language](),
        theme,
        syntaxHighlighting(colours),
        placeholder === undefined ? [] : drawPlaceholder(placeholder),
        keymap.of([
          ...Object.entries(keys).map(([key, act]) => ({
            key,
            run: () => {
              act()
              return true
            },
          })),
          ...defaultKeymap,
          ...historyKeymap,
        ]),
        typeOver,
        EditorView.contentAttributes.of({ id, 'aria-label': label, spellcheck: String(language !== 'json') }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !isReplacing) onText(update.state.doc.toString())
        }),
      ],
    }),
  })
  const apply = (change: TransactionSpec): void => {
    view.dispatch({ ...change, scrollIntoView: true, userEvent: 'input' })
    view.focus()
  }
  return {
    content: view.contentDOM,
    text: () => view.state.doc.toString(),
    replace(next) {
      isReplacing = true
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } })
      isReplacing = false
    },
    select(from, to) {
      const end = view.state.doc.length
      apply({ selection: { anchor: Math.min(from, end), head: Math.min(to, end) } })
    },
    edit(change) {
      const { from, to } = view.state.selection.main
      const edited = change(view.state.sliceDoc(from, to))
      apply({
        changes: { from, to, insert: edited.text },
        selection: { anchor: from + edited.from, head: from + edited.to },
      })
    },
    editLines(change) {
      const { doc, selection } = view.state
      const [first, last] = [doc.lineAt(selection.main.from), doc.lineAt(selection.main.to)]
      const lines = doc.sliceString(first.from, last.to).split('\n').map(change).join('\n')
      apply({
        changes: { from: first.from, to: last.to, insert: lines },
        selection: { anchor: first.from + lines.length },
      })
    },
    close: () => view.destroy(),
  }
}
