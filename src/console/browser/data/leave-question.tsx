// Asks what becomes of unsaved changes before a form is left.

import { useEffect, useState } from 'preact/hooks'
import { say } from '../messages.ts'
import { Dialog } from '../parts/dialog.tsx'
import { holdPage } from '../route.ts'

interface QuestionProps {
  readonly dirty: boolean
  /** Newer than `dirty`, which is of the last drawing. */
  isDirty(): boolean
  save(): Promise<boolean>
  discard(): void
}

export function LeaveQuestion({ dirty, isDirty, save, discard }: QuestionProps) {
  const [proceed, setProceed] = useState<{ run(): void }>()
  useEffect(() => {
    if (!dirty) return
    const release = holdPage({ isNeeded: isDirty, ask: (run) => setProceed({ run }) })
    const warn = (event: BeforeUnloadEvent): void => {
      if (isDirty()) event.preventDefault()
    }
    addEventListener('beforeunload', warn)
    return () => {
      release()
      removeEventListener('beforeunload', warn)
    }
  }, [dirty])
  if (proceed === undefined) return null
  const close = (): void => setProceed(undefined)
  return (
    <Dialog title={say('Save your changes?')} onClose={close}>
      <p>{say('This entry has changes that are not saved yet.')}</p>
      <div class="buttons">
        <button
          type="button"
          class="main"
          onClick={async () => {
            close()
            if (await save()) proceed.run()
          }}
        >
          {say('Save')}
        </button>
        <button
          type="button"
          class="danger"
          onClick={() => {
            close()
            discard()
            proceed.run()
          }}
        >
          {say('Discard')}
        </button>
        <button type="button" onClick={close}>
          {say('Stay')}
        </button>
      </div>
    </Dialog>
  )
}
