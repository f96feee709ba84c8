// Chooses files of the media library in a dialog.

import { useState } from 'preact/hooks'
import type { Model } from '../../described.ts'
import { say } from '../messages.ts'
import { Dialog } from '../parts/dialog.tsx'
import type { MediaFile, MediaKind } from './media.ts'
import { MediaLibrary } from './media-library.tsx'

interface MediaDialogProps {
  readonly title: string
  readonly model: Model
  readonly kinds: readonly MediaKind[]
  readonly many: boolean
  /** What is wrong with a choice that was refused. */
  readonly error?: string | undefined
  onChoose(files: readonly MediaFile[]): void
  onClose(): void
}

export function MediaDialog({ title, model, kinds, many, error, onChoose, onClose }: MediaDialogProps) {
  const [chosen, setChosen] = useState<readonly MediaFile[]>([])
  return (
    <Dialog title={title} wide onClose={onClose}>
      <div
        class="media-dialog"
        role="group"
        aria-label={title}
        onKeyDown={(event) => {
          // The dialog stands within a form, which Enter must not send.
          if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault()
        }}
      >
        <MediaLibrary
          {...{ model, kinds, many, chosen }}
          onChosen={setChosen}
          onOpen={(file) => onChoose([...chosen.filter(({ id }) => many && id !== file.id), file])}
        />
        {error !== undefined && (
          <p class="error" role="alert">
            {error}
          </p>
        )}
        <footer class="buttons">
          <button type="button" class="main" disabled={chosen.length === 0} onClick={() => onChoose(chosen)}>
            {chosen.length > 1 ? say('Choose {count} files', { count: chosen.length }) : say('Choose')}
          </button>
          <button type="button" onClick={onClose}>
            {say('Cancel')}
          </button>
        </footer>
      </div>
    </Dialog>
  )
}
