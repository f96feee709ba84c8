// An editor of text within a form, loaded on first use; a plain text field where it cannot be loaded.

import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { TextEditor, TextEditorOptions } from '../editor/text-editor.ts'
import type { InputProps } from './labelled.tsx'

interface CodeProps {
  readonly input: InputProps
  readonly label: string
  readonly text: string
  readonly language: TextEditorOptions['language']
  readonly placeholder?: string | undefined
  readonly keys?: TextEditorOptions['keys']
  readonly editor: RefObject<TextEditor | undefined>
  /** Why the text is no value yet: the form is not saved. */
  readonly unfinished?: string | undefined
  onText(text: string): void
}

export function CodeInput({
  input,
  label,
  text,
  language,
  placeholder,
  keys = {},
  editor,
  unfinished,
  onText,
}: CodeProps) {
  const place = useRef<HTMLDivElement>(null)
  const [isPlain, setIsPlain] = useState(false)
  const emit = useRef(onText)
  emit.current = onText
  /** What was typed; it comes back as `text` when more may have been typed. */
  const told = useRef(new Set<string>())
  const tell = (next: string): void => {
    told.current.add(next)
    emit.current(next)
  }
  const shown = useRef(text)
  shown.current = text
  useEffect(() => {
    let current = true
    import('../editor/text-editor.ts').then(
      ({ openTextEditor }) => {
        if (!current || place.current === null) return
        const { id } = input
        const options = {
          language,
          id,
          label,
          placeholder,
          keys,
          onText: tell,
        }
        editor.current = openTextEditor({ ...options, parent: place.current, text: shown.current })
        describe(editor.current.content, input)
      },
      () => setIsPlain(true),
    )
    return () => {
      current = false
      editor.current?.close()
      editor.current = undefined
    }
  }, [])
  useEffect(() => {
    if (editor.current === undefined) return
    // CodeMirror ends its lines with \n.
    const wanted = text.replaceAll('\r\n', '\n')
    if (editor.current.text() === wanted) told.current.clear()
    else if (!told.current.has(wanted)) editor.current.replace(wanted)
  }, [text])
  useEffect(() => {
    if (editor.current !== undefined) describe(editor.current.content, input)
  })
  const marks = { 'data-field': input.id, 'data-unfinished': unfinished }
  if (isPlain)
    return (
      <textarea {...input} {...marks} value={text} onInput={(event) => onText(event.currentTarget.value)} />
    )
  return <div class="code-input" ref={place} data-invalid={input['aria-invalid']} {...marks} />
}

/** The editor is in a shadow root, from where ids do not lead outside, but elements do. */
function describe(content: HTMLElement, input: InputProps): void {
  const ids = input['aria-describedby']?.split(' ') ?? []
  content.ariaDescribedByElements = ids.flatMap((id) => document.getElementById(id) ?? [])
  for (const name of ['aria-invalid', 'aria-required'] as const) {
    if (input[name] === true) content.setAttribute(name, 'true')
    else content.removeAttribute(name)
  }
}
