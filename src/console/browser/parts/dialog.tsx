// A modal dialog on the browser's own element, which keeps the focus inside and closes with Escape.

import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { say } from '../messages.ts'

interface DialogProps {
  readonly title: string
  readonly wide?: boolean
  readonly children: ComponentChildren
  onClose(): void
}

/** It is open while it is drawn; afterwards the focus is back where it was. */
export function Dialog({ title, wide = false, children, onClose }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  // Preact cleans other effects up after the element is gone, which the browser then does not return the focus from.
  useLayoutEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={element}
      class={wide ? 'dialog wide' : 'dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onMouseDown={(event) => {
        if (event.target === event.currentTarget) onClose()
      }}
    >
      <div class="dialog-content">
        <header>
          <h2 id={id}>{title}</h2>
          <button type="button" class="small" aria-label={say('Close')} onClick={onClose}>
            ×
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}
