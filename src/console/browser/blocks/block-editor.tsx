// An editor for Strapi's blocks, with its buttons.

import { useEffect, useRef, useState } from 'preact/hooks'
import { redo, undo } from 'prosemirror-history'
import type { Command, EditorState } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import type { Model } from '../../described.ts'
import type { InputProps } from '../data/labelled.tsx'
import { insertImage, linkAt, setLink } from './commands.ts'
import { type Origins, toBlocks, toDocument } from './convert.ts'
import { ImageChoice } from './image-choice.tsx'
import { LinkInput } from './link-input.tsx'
import { createState, openEditor } from './open-editor.ts'
import { Toolbar } from './toolbar.tsx'

interface BlockEditorProps {
  readonly input: InputProps
  readonly label: string
  readonly value: unknown
  readonly model: Model
  onChange(value: unknown): void
}

export default function BlockEditor(props: BlockEditorProps) {
  const { input, label, value, model } = props
  const { id } = input
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const origins = useRef<Origins>(new WeakMap())
  /** The value of the document; a value of another origin, as after saving, replaces it. */
  const known = useRef(value)
  const told = useRef(new Set<unknown>())
  const emit = useRef(props.onChange)
  emit.current = props.onChange
  const [state, setState] = useState<EditorState>()
  const [open, setOpen] = useState<'link' | 'image'>()

  useEffect(() => {
    if (place.current === null) return
    const opened = openEditor(place.current, {
      doc: toDocument(value, origins.current),
      attributes: { id, role: 'textbox', 'aria-multiline': 'true', 'aria-label': label, class: 'prose' },
      onChange(next, edited) {
        setState(next)
        if (!edited) return
        known.current = toBlocks(next.doc, origins.current)
        told.current.add(known.current)
        emit.current(known.current)
      },
      onLink: () => setOpen('link'),
    })
    view.current = opened
    setState(opened.state)
    return () => opened.destroy()
  }, [])
  useEffect(() => {
    if (value === known.current) told.current.clear()
    if (view.current === undefined || value === known.current || told.current.has(value)) return
    const same = JSON.stringify(value) === JSON.stringify(known.current)
    known.current = value
    if (same) return
    view.current.updateState(createState(toDocument(value, origins.current)))
    setState(view.current.state)
  }, [value])
  useEffect(() => {
    const { dom } = view.current ?? {}
    for (const [name, said] of Object.entries(input)) {
      if (said === undefined) dom?.removeAttribute(name)
      else dom?.setAttribute(name, String(said))
    }
  })

  const run = (command: Command, focus = true): void => {
    if (view.current === undefined) return
    command(view.current.state, view.current.dispatch)
    if (focus) view.current.focus()
  }
  const close = (): void => {
    setOpen(undefined)
    view.current?.focus()
  }
  return (
    <div class="blocks">
      {state !== undefined && (
        <Toolbar
          {...{ state, run, label, controls: id }}
          history={{ undo, redo }}
          onLink={() => setOpen(open === 'link' ? undefined : 'link')}
          onImage={model.uploads ? () => setOpen(open === 'image' ? undefined : 'image') : undefined}
        />
      )}
      {open === 'link' && state !== undefined && (
        <LinkInput
          id={`link-of-${id}`}
          url={linkAt(state)?.url ?? ''}
          onUrl={(url) => {
            run(setLink(url))
            close()
          }}
          onCancel={close}
        />
      )}
      {open === 'image' && (
        <ImageChoice
          {...{ label, model }}
          onImage={(image) => {
            run(insertImage(image))
            close()
          }}
          onCancel={close}
        />
      )}
      <div ref={place} />
    </div>
  )
}
