// CodeMirror for the file: colours, completion from the schema, and diagnostics.

import { autocompletion, closeBrackets, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import {
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language'
import { type Diagnostic, linter, lintGutter } from '@codemirror/lint'
import { EditorState, type Text } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import type { FileDiagnostic } from '../../described.ts'
import { completeFrom } from './complete.ts'
import { typeOver } from './type-over.ts'

export interface Editor {
  text(): string
  goTo(line: number): void
  close(): void
}

export interface EditorOptions {
  readonly parent: Element
  readonly text: string
  readonly readOnly: boolean
  readonly schema: object
  check(text: string): Promise<readonly FileDiagnostic[]>
  onEdit(): void
}

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--link)' },
  { tag: [tags.string, tags.content], color: 'var(--text)' },
  { tag: [tags.comment, tags.lineComment], color: 'var(--quiet)', fontStyle: 'italic' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword, tags.atom], color: 'var(--warn)' },
])

const theme = EditorView.theme({
  '&': {
    maxHeight: 'calc(100vh - 12rem)',
    fontSize: '13.5px',
    color: 'var(--text)',
    background: 'var(--raised)',
  },
  '.cm-scroller': { overflow: 'auto', fontFamily: 'var(--code)' },
  '.cm-gutters': { background: 'var(--back)', color: 'var(--quiet)', borderRight: '1px solid var(--line)' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-tooltip': { background: 'var(--raised)', color: 'var(--text)', border: '1px solid var(--line)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { background: 'var(--accent)', color: '#fff' },
  '&.cm-focused': { outline: 'none' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-foldPlaceholder': {
    background: 'var(--back)',
    color: 'var(--quiet)',
    border: '1px solid var(--line)',
  },
})

export function openEditor(options: EditorOptions): Editor {
  const { parent, text, readOnly, schema, check, onEdit } = options
  // Within a shadow root CodeMirror uses style objects, which the page's policy allows; elsewhere it adds a
  // style element.
  const root = parent.shadowRoot ?? parent.attachShadow({ mode: 'open' })
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        foldGutter(),
        lintGutter(),
        history(),
        indentOnInput(),
        closeBrackets(),
        typeOver,
        yaml(),
        theme,
        syntaxHighlighting(colours),
        autocompletion({ override: [completeFrom(schema)] }),
        linter(
          async ({ state: { doc } }) => (await check(doc.toString())).map((one) => toDiagnostic(doc, one)),
          {
            delay: 500,
          },
        ),
        keymap.of([
          ...defaultKeymap,
          ...historyKeymap,
          ...foldKeymap,
          ...completionKeymap,
          ...(readOnly ? [] : [indentWithTab]),
        ]),
        EditorState.readOnly.of(readOnly),
        EditorState.tabSize.of(2),
        EditorView.contentAttributes.of({ 'aria-label': 'The file' }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onEdit()
        }),
      ],
    }),
  })
  // Allows scrolling by keyboard without editing.
  view.scrollDOM.tabIndex = 0
  return {
    text: () => view.state.doc.toString(),
    goTo(line) {
      if (line <= 1 || line > view.state.doc.lines) return
      const { from } = view.state.doc.line(line)
      view.dispatch({
        selection: { anchor: from },
        effects: EditorView.scrollIntoView(from, { y: 'center' }),
      })
    },
    close: () => view.destroy(),
  }
}

function toDiagnostic(
  doc: Text,
  { line, column, endLine, endColumn, message, severity }: FileDiagnostic,
): Diagnostic {
  const at = (row: number, cell: number): number => {
    const { from, to } = doc.line(Math.min(Math.max(row, 1), doc.lines))
    return Math.min(from + cell - 1, to)
  }
  const from = at(line, column)
  return { from, to: Math.max(from, at(endLine, endColumn)), message, severity }
}
