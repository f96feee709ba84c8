// Text typed over a selection in CodeMirror.

import type { Extension, Transaction } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

/** Text in place of a selection, or of several lines itself: the browser would keep the look of replaced words by inline styles, which the policy refuses. */
function typeOverSelection(event: InputEvent, view: EditorView): boolean {
  const text = event.data
  if (event.inputType !== 'insertText' || text === null || view.state.readOnly) return false
  const { from, to } = findSelection(view)
  if (from === to && !text.includes('\n')) return false
  event.preventDefault()
  const insert = (): Transaction =>
    view.state.update({
      changes: { from, to, insert: text },
      selection: { anchor: from + text.length },
      ...{ userEvent: 'input.type', scrollIntoView: true },
    })
  // As CodeMirror itself asks them: a bracket typed over a selection goes around it.
  const isHandled = view.state
    .facet(EditorView.inputHandler)
    .some((handle) => handle(view, from, to, text, insert))
  if (!isHandled) view.dispatch(insert())
  return true
}

/** The selection of the page, which the state may not have heard of yet. */
function findSelection(view: EditorView): { readonly from: number; readonly to: number } {
  const shadowRoots = view.root instanceof ShadowRoot ? [view.root] : []
  const [range] = document.getSelection()?.getComposedRanges?.({ shadowRoots }) ?? []
  if (range === undefined || !view.contentDOM.contains(range.startContainer)) return view.state.selection.main
  return {
    from: view.posAtDOM(range.startContainer, range.startOffset),
    to: view.posAtDOM(range.endContainer, range.endOffset),
  }
}

export const typeOver: Extension = EditorView.domEventHandlers({ beforeinput: typeOverSelection })
